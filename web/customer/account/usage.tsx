import { Box, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { isRunning, renews } from '../../../contract/plans/plan-words.ts';
import { type Entitlement, operationQuery, type QuotaAdjustment, type Usage as UsageData } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { PageButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { curl } from '../../ui/page/curl.ts';
import { DayBars } from '../../ui/time/day-bars.tsx';
import { type Column, Empty, List } from '../../ui/list/list.tsx';
import { adjustmentWords } from '../../ui/job/adjustment-words.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { sumColumns, UsageSkeleton } from '../../ui/list/skeletons.tsx';
import { sayDay, Time } from '../../ui/time/time.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { nextPeriod, UsedUp } from './plan-limit.tsx';
import { namedLabel, noPlanWords } from './plan-words.ts';
import { type Days, daysOf, firstOf, usageReads } from './usage.reads.ts';

const day = 86_400_000;

/** UTC days, like the usage itself. */
const spans: Record<string, number | undefined> = { 'This period': undefined, 'Last 30 days': 30, 'Last 90 days': 90 };

export function Usage() {
  const [{ from, to }, setAddress] = useAddress<'from' | 'to'>();
  const days = daysOf(from, to);
  const usage = useRead(useReads(usageReads).usage);
  const fromOf = (span: string) => (spans[span] ? firstOf(spans[span]) : undefined);
  const span = days ? Object.keys(spans).find((name) => !to && from === fromOf(name)) : 'This period';
  return (
    <>
      <PageHead
        title="Usage"
        below="A job counts when it is ordered. Its quota is returned if it is canceled before work begins."
      >
        <SegmentedControl
          aria-label="Range"
          data={Object.keys(spans)}
          value={span ?? ''}
          onChange={(name) => setAddress({ from: fromOf(name), to: undefined })}
        />
        <BetweenDays verb="Used" none="Choose days" from={from} to={to} onChange={setAddress} />
      </PageHead>
      <Loaded query={usage} skeleton={<UsageSkeleton />}>
        {({ usage: data }) =>
          isNothing(data) ? (
            <NoUsage />
          ) : (
            <div className="stack" style={{ gap: 28 }}>
              <Quota usage={data} ranged={days !== null} />
              {data.buckets.length > 0 ? (
                <DayBars buckets={data.buckets} {...(days ?? daysOfPeriod(data))} />
              ) : (
                <p className="second">No job was ordered in {days ? 'these days' : 'this period yet'}.</p>
              )}
              {data.quota_adjustments.length > 0 && (
                <List
                  label={adjusted}
                  tight
                  rows={data.quota_adjustments}
                  columns={adjustments}
                  rowKey={({ id }) => id}
                />
              )}
              {data.buckets.length > 0 && <Sums usage={data} />}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

const adjusted = 'Adjusted by the studio';
const adjustments: Column<QuotaAdjustment>[] = [
  {
    head: adjusted,
    className: 'ink numbers',
    cell: ({ quantity, plan_code: plan }) => (
      <>
        {adjustmentWords(quantity)}
        <span className="cell-second capital">{plan}</span>
      </>
    ),
  },
  { head: 'Reason', className: 'prose', cell: ({ reason }) => reason },
  { head: 'When', end: true, cell: ({ created_at: at }) => <Time at={at} as="day" /> },
];

const isNothing = ({ totals, buckets }: UsageData) => totals.quota === 0 && buckets.length === 0;

function NoUsage() {
  const { plans } = useSession();
  return (
    <Empty action={<PageButton label="See plans" to={customerPages.plans} />} command={curl({ path: '/api/v1/usage' })}>
      Nothing is used yet. {noPlanWords(plans)}.
    </Empty>
  );
}

const daysOfPeriod = ({ period }: UsageData): Days => ({
  from: Math.floor(Date.parse(period.start) / day) * day,
  to: Math.ceil(Date.parse(period.end) / day) * day,
});

function Quota({ usage: { totals, period }, ranged }: { usage: UsageData; ranged: boolean }) {
  const session = useSession();
  const plans = useQuery(operationQuery('listEntitlements'));
  if (totals.quota === 0)
    return (
      <p>
        <strong className="figure numbers">{totals.quantity}</strong> jobs. {noPlanWords(session.plans)};{' '}
        <Link to={customerPages.plans}>see plans</Link>.
      </p>
    );
  const used = totals.quota - totals.remaining;
  const share = Math.min(100, (used / totals.quota) * 100);
  const elapsed = (Date.now() - Date.parse(period.start)) / (Date.parse(period.end) - Date.parse(period.start));
  const forecast = elapsed > 0.1 && elapsed < 1 ? Math.round(used / elapsed) : null;
  return (
    <section aria-label="Quota" className="stack-small">
      <div className="row between">
        <span>
          <strong className="figure numbers">{used}</strong> of {totals.quota} jobs
        </span>
        <span className="second">
          {totals.remaining} left{plans.data && ` · ${periodWords(plans.data.entitlements, period.end)}`}
        </span>
      </div>
      <div className="bar" role="img" aria-label={`${Math.round(share)} percent used`}>
        <span style={{ width: `${share}%` }} />
      </div>
      {totals.remaining === 0 && <UsedUp next={nextPeriod(plans.data?.entitlements ?? [])} />}
      <span className="second small">
        {ranged && `${totals.quantity} in the shown days. `}
        {forecast !== null &&
          (forecast > totals.quota
            ? `At this pace the quota is used up before ${sayDay(period.end)}.`
            : `At this pace about ${forecast} by ${sayDay(period.end)}.`)}
      </span>
    </section>
  );
}

/** Promises a new period only if every running plan renews. */
function periodWords(entitlements: Entitlement[], end: string): string {
  const others = entitlements.filter((plan) => isRunning(plan) && !renews(plan));
  return others.map(namedLabel).join(', ') || `new period on ${sayDay(end)}`;
}

function Sums({ usage: { summaries } }: { usage: UsageData }) {
  const { familyName } = useServiceNames();
  const { view } = useSession();
  const byKeys = summaries.by_api_key.reduce((sum, { quantity }) => sum + quantity, 0);
  const all = summaries.by_service_family.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <Box {...sumColumns}>
      <SumTable
        head="By service"
        rows={summaries.by_service_family.map((sum) => ({ ...sum, name: familyName(sum.key) }))}
      />
      <SumTable
        head="By plan"
        rows={summaries.by_entitlement.map(({ quota: of, ...sum }) => ({
          ...sum,
          name: <span className="capital">{sum.key}</span>,
          of,
        }))}
      />
      {!view && (
        <SumTable
          head="By key"
          rows={[
            ...summaries.by_api_key.map((key) => ({ key: key.api_key_id, name: keyName(key), quantity: key.quantity })),
            ...(all > byKeys ? [{ key: 'people', name: 'People, without a key', quantity: all - byKeys }] : []),
          ]}
        />
      )}
    </Box>
  );
}

/** Two keys have one name after a rotation; their prefixes differ. */
const keyName = ({ name, prefix, status }: UsageData['summaries']['by_api_key'][number]) => (
  <>
    {name}
    <span className="cell-second">
      <span className="mono">{prefix}</span>
      {status !== 'active' && `, ${status}`}
    </span>
  </>
);

type Sum = { key: string; name: ReactNode; quantity: number | null; of?: number };

const noSum: Sum = { key: 'none', name: <span className="second">Nothing yet</span>, quantity: null };

function SumTable({ head, rows }: { head: string; rows: Sum[] }) {
  const sorted = rows.toSorted((first, other) => Number(other.quantity) - Number(first.quantity));
  const most = Math.max(1, ...rows.map(({ quantity, of }) => of ?? Number(quantity)));
  return (
    <List
      label={head}
      className="sum-table"
      tight
      rows={rows.length > 0 ? sorted : [noSum]}
      rowKey={({ key }) => key}
      columns={[
        { head, className: 'ink', cell: ({ name }) => name },
        {
          head: 'Share',
          quiet: true,
          width: '34%',
          cell: ({ quantity, of }) =>
            quantity !== null && (
              <div className="bar">
                <span style={{ width: `${(Math.max(0, quantity) / (of || most)) * 100}%` }} />
              </div>
            ),
        },
        {
          head: 'Jobs',
          end: true,
          className: 'numbers',
          cell: ({ quantity, of }) => (
            <>
              {quantity}
              {of !== undefined && <span className="third"> of {of}</span>}
            </>
          ),
        },
      ]}
    />
  );
}
