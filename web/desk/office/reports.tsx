import { SegmentedControl, Skeleton } from '@mantine/core';
import { deskPages } from '../../../contract/pages.ts';
import type { Report, ReportRow } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { rejectionWords } from '../../ui/job/words.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { PageHead } from '../../ui/page/page.tsx';
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
  return (
    <>
      <PageHead
        title="Reports"
        below="A job counts when it ended. Turnaround is the time to the first delivery, without open questions."
      >
        <Range />
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
        {rows.error && !rows.data ? (
          <Failure error={rows.error} retry={() => (void rows.refetch(), void report.refetch())} />
        ) : rows.data?.length === 0 ? (
          <NoRows />
        ) : (
          <div>
            <List
              label={`Report per ${per}`}
              tight
              rows={rows.data}
              columns={columns(dimensions[per].slice(0, -1))}
              rowKey={({ key }) => key}
              {...(per === 'customer' ? { href: ({ key: id }: ReportRow) => pathTo(deskPages.account, { id }) } : {})}
            />
            {rows.data && (
              <ListFoot shown={`${sayCount(rows.data.length)} shown`} more={rows.more} loading={rows.loadingMore} />
            )}
          </div>
        )}
      </div>
    </>
  );
}

function Range() {
  const [{ range, from, to }, setAddress] = useAddress<Address>();
  return (
    <>
      <RangeChoice
        range={range}
        isNone={from !== undefined || to !== undefined}
        onChange={(next) => setAddress({ range: next, from: undefined, to: undefined })}
      />
      <BetweenDays verb="Ended" none="Days" from={from} to={to} onChange={setAddress} />
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
        { term: 'On time', value: sayShare(total.on_time_share) },
        { term: 'Turnaround, median', value: sayTurnaround(total.turnaround_p50_seconds) },
        { term: '9 of 10 within', value: sayTurnaround(total.turnaround_p90_seconds) },
        { term: 'Rounds of changes', value: sayCount(total.revision_rounds) },
        { term: 'Rejected', value: sayCount(total.rejected), detail: reasons.join(', ') },
      ]}
    />
  );
}

const sayTurnaround = (seconds: number | null) => sayHours(seconds === null ? null : seconds / 3600);

const columns = (head: string): Column<ReportRow>[] => [
  { head, width: '26%', cell: ({ name }) => <span className="ink">{name}</span> },
  numberColumn('Jobs', ({ jobs }) => sayCount(jobs)),
  numberColumn('On time', ({ on_time_share: share }) => sayShare(share)),
  numberColumn('Median', ({ turnaround_p50_seconds: seconds }) => sayTurnaround(seconds)),
  numberColumn('9 of 10 within', ({ turnaround_p90_seconds: seconds }) => sayTurnaround(seconds)),
  numberColumn('Changes', ({ revision_rounds: rounds }) => sayCount(rounds)),
  numberColumn('Rejected', ({ rejected }) => sayCount(rejected)),
  numberColumn('Canceled', ({ canceled }) => sayCount(canceled)),
];

function NoRows() {
  const [search, setAddress] = useAddress<Address>();
  const ofSome = {
    option: 'No job',
    customer: 'No job',
    operator: 'No job of an operator',
    worker: 'No job of a worker',
  };
  return (
    <Empty
      action={
        search.range === 'year' ? undefined : (
          <ActionButton variant="default" onClick={() => setAddress({ range: 'year', from: undefined, to: undefined })}>
            Show a year
          </ActionButton>
        )
      }
    >
      {ofSome[dimensionOf(search)]} ended in these days.
    </Empty>
  );
}
