import { SegmentedControl, Skeleton } from '@mantine/core';
import { deskPages } from '../../../contract/pages.ts';
import type { Report, ReportRow } from '../../app/api.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { rejectionWords } from '../../ui/job/words.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { sayMinutes } from '../job/noted-words.ts';
import { ExportButton } from '../export/export-button.tsx';
import { BigFigures, numberColumn, RangeChoice, sayCount, sayHours, sayShare } from './figure-parts.tsx';
import { dimensionOf, dimensions, reportsReads } from './reports.reads.ts';

type Address = 'per' | 'range' | 'from' | 'to';

export function Reports() {
  const [search, setAddress] = useAddress<Address>();
  const reads = useReads(reportsReads);
  const report = useRead(reads.report);
  const rows = usePages(reads.rows);
  const per = dimensionOf(search);
  const { range, from, to } = search;
  return (
    <>
      <PageHead
        title="Reports"
        below="A job counts when it ended. Turnaround is the time to the first delivery, without open questions."
      >
        <RangeChoice
          range={range}
          isNone={from !== undefined || to !== undefined}
          onChange={(next) => setAddress({ range: next, from: undefined, to: undefined })}
        />
        <BetweenDays verb="Ended" none="Days" from={from} to={to} onChange={setAddress} />
        <ExportButton list="reports" read={reads.rows} />
      </PageHead>
      <div className="stack" style={{ gap: 24 }}>
        {report.data ? <Totals report={report.data.report} /> : !report.error && <Skeleton height={50} />}
        <SegmentedControl
          aria-label="Compare"
          style={{ alignSelf: 'start' }}
          data={Object.entries(dimensions).map(([value, label]) => ({ value, label }))}
          value={per}
          onChange={(value) => setAddress({ per: value === 'option' ? undefined : value })}
        />
        <div>
          <PagedList
            label={`Report per ${per}`}
            tight
            pages={{ ...rows, refetch: () => (void rows.refetch(), void report.refetch()) }}
            empty={<NoRows />}
            columns={columns(dimensions[per].slice(0, -1))}
            rowKey={({ key }) => key}
            href={per === 'customer' ? ({ key: id }) => pathTo(deskPages.account, { id }) : undefined}
          />
        </div>
      </div>
    </>
  );
}

function Totals({ report: { total, rejections } }: { report: Report }) {
  const reasons = rejections.map(
    ({ code, jobs }) => `${sayCount(jobs)} ${(rejectionWords[code] ?? code).toLowerCase()}`,
  );
  return (
    <BigFigures
      figures={[
        { term: 'Jobs ended', value: sayCount(total.jobs) },
        { term: 'Ended jobs on time', value: sayShare(total.on_time_share), detail: 'all their deliveries' },
        { term: 'Turnaround, median', value: sayTurnaround(total.turnaround_p50_seconds) },
        { term: '9 of 10 within', value: sayTurnaround(total.turnaround_p90_seconds) },
        { term: 'Time noted', value: sayNoted(total.noted_minutes) },
        { term: 'Rounds of changes', value: sayCount(total.revision_rounds) },
        { term: 'Rejected', value: sayCount(total.rejected), detail: reasons.join(', ') },
      ]}
    />
  );
}

const sayNoted = (minutes: number) => (minutes === 0 ? '–' : sayMinutes(minutes));
const sayTurnaround = (seconds: number | null) => sayHours(seconds === null ? null : seconds / 3600);

const columns = (head: string): Column<ReportRow>[] => [
  { head, width: '26%', cell: ({ name }) => <span className="ink">{name}</span> },
  numberColumn('Jobs', ({ jobs }) => sayCount(jobs)),
  numberColumn('Ended on time', ({ on_time_share: share }) => sayShare(share)),
  numberColumn('Median', ({ turnaround_p50_seconds: seconds }) => sayTurnaround(seconds)),
  numberColumn('9 of 10 within', ({ turnaround_p90_seconds: seconds }) => sayTurnaround(seconds)),
  numberColumn('Changes', ({ revision_rounds: rounds }) => sayCount(rounds)),
  numberColumn('Time noted', ({ noted_minutes: minutes }) => sayNoted(minutes)),
  numberColumn('Rejected', ({ rejected }) => sayCount(rejected)),
  numberColumn('Canceled', ({ canceled }) => sayCount(canceled)),
];

function NoRows() {
  const [search, setAddress] = useAddress<Address>();
  const whose = { option: '', customer: '', operator: ' of an operator', worker: ' of a worker' };
  return (
    <Empty
      action={
        search.range !== 'year' && (
          <ActionButton variant="default" onClick={() => setAddress({ range: 'year', from: undefined, to: undefined })}>
            Show a year
          </ActionButton>
        )
      }
    >
      No job{whose[dimensionOf(search)]} ended in these days.
    </Empty>
  );
}
