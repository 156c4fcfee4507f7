import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { isRunning, renews } from '../../../contract/plans/plan-words.ts';
import { type Entitlement, operationQuery, type Usage as UsageData } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { curl } from '../../ui/page/curl.ts';
import { DayBars } from '../../ui/time/day-bars.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { List } from '../../ui/list/list.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { UsageSkeleton } from '../../ui/list/skeletons.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { nextPeriod, UsedUp } from './plan-limit.tsx';
import { namedLabel, noPlanWords } from './plan-words.ts';
import { UsageAdjustments } from './usage-adjustments.tsx';
import { type Days, daysOf, firstOf, usageReads } from './usage.reads.ts';

const day = 86_400_000;

/** UTC days, like the usage itself. */
const spans: Record<string, number> = { 'Last 30 days': 30, 'Last 90 days': 90 };
const thisPeriod = 'This period';

export function Usage() {
  const [{ from, to }, setAddress] = useAddress<'from' | 'to'>();
  const days = daysOf(from, to);
  const usage = useRead(useReads(usageReads).usage);
  const span = Object.entries(spans).find(([, length]) => !to && from === firstOf(length))?.[0];
  return (
    <>
      <PageHead
        title="Usage"
        below="A job counts when it is ordered. Its quota is returned if it is canceled before work begins."
        actions={
          <>
            <SegmentedControl
              aria-label="Range"
              data={[thisPeriod, ...Object.keys(spans)]}
              value={days ? (span ?? '') : thisPeriod}
              onChange={(name) => {
                const length = spans[name];
                setAddress({ from: length === undefined ? undefined : firstOf(length), to: undefined });
              }}
            />
            <BetweenDays verb="Used" none="Choose days" from={from} to={to} onChange={setAddress} />
          </>
        }
      />
      <Loaded query={usage} skeleton={<UsageSkeleton />}>
        {({ usage: data }) =>
          isNothing(data) ? (
            <NoUsage />
          ) : (
            <div className="stack" style={{ gap: 28 }}>
              <Quota usage={data} ranged={days !== null} />
              <DayBars buckets={data.buckets} {...(days ?? daysOfPeriod(data))} />
              {data.quota_adjustments.length > 0 && <UsageAdjustments adjustments={data.quota_adjustments} />}
              <Sums usage={data} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

const isNothing = ({ totals, buckets }: UsageData) => totals.quota === 0 && buckets.length === 0;

function NoUsage() {
  const { plans } = useSession();
  const navigate = useNavigate();
  return (
    <Empty
      action={<ActionButton onClick={() => void navigate({ to: customerPages.plans })}>See plans</ActionButton>}
      command={curl({ path: '/api/v1/usage' })}
    >
      Nothing is used yet. {noPlanWords(plans)}.
    </Empty>
  );
}

const daysOfPeriod = ({ period }: UsageData): Days => ({
  from: Math.floor(Date.parse(period.start) / day) * day,
  to: Math.ceil(Date.parse(period.end) / day) * day,
});

/** The used share of the quota, and a forecast. */
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

/** Promises a new period only where one follows as far as anybody knows. */
function periodWords(entitlements: Entitlement[], end: string): string {
  const others = entitlements.filter((plan) => isRunning(plan) && !renews(plan));
  if (others.length === 0) return `new period on ${sayDay(end)}`;
  return others.map(namedLabel).join(', ');
}

function Sums({ usage: { summaries } }: { usage: UsageData }) {
  const { familyName } = useServiceNames();
  const { view } = useSession();
  const byKeys = summaries.by_api_key.reduce((sum, { quantity }) => sum + quantity, 0);
  const all = summaries.by_service_family.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className="sums">
      <SumTable
        head="By service"
        rows={summaries.by_service_family.map(({ key, quantity }) => ({ key, name: familyName(key), quantity }))}
      />
      <SumTable
        head="By plan"
        rows={summaries.by_entitlement.map(({ key, quantity, quota }) => ({
          key,
          name: <span className="capital">{key}</span>,
          quantity,
          of: quota,
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
    </div>
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
