import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { operationQuery, type Usage as UsageData } from '../api.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { useAddress } from '../ui/address.ts';
import { curl } from '../ui/curl.ts';
import { DayBars } from '../ui/day-bars.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded, PageHead } from '../ui/page.tsx';
import { UsageSkeleton } from '../ui/skeletons.tsx';
import { sayDay } from '../ui/time.tsx';
import { useServiceNames } from '../ui/service-names.ts';

const day = 86_400_000;

/** What the tabs stand for, in UTC days as usage is counted. */
const ranges = {
  period: { label: 'This period', days: null },
  month: { label: 'Last 30 days', days: 30 },
  quarter: { label: 'Last 90 days', days: 90 },
};
type RangeName = keyof typeof ranges;

function rangeQuery(name: RangeName) {
  const { days } = ranges[name];
  if (days === null) return {};
  const tomorrow = Math.ceil(Date.now() / day) * day;
  return { period_start: new Date(tomorrow - days * day).toISOString(), period_end: new Date(tomorrow).toISOString() };
}

export function Usage() {
  const [{ range = 'period' }, setAddress] = useAddress<'range'>();
  const name = range in ranges ? (range as RangeName) : 'period';
  const usage = useQuery(operationQuery('readUsage', { query: rangeQuery(name) }));
  return (
    <>
      <PageHead
        title="Usage"
        below="A job counts when it is ordered, and is given back when it is canceled before work begins."
        actions={
          <SegmentedControl
            aria-label="Range"
            data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
            value={name}
            onChange={(value) => setAddress({ range: value === 'period' ? undefined : value })}
          />
        }
      />
      <Loaded query={usage} skeleton={<UsageSkeleton />}>
        {({ usage: data }) =>
          isNothing(data) ? (
            <NoUsage />
          ) : (
            <div className="stack" style={{ gap: 28 }}>
              <Quota usage={data} ranged={name !== 'period'} />
              <DayBars buckets={data.buckets} {...shownDays(data, name)} />
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
  const navigate = useNavigate();
  return (
    <Empty
      action={<ActionButton onClick={() => void navigate({ to: customerPages.plans })}>See plans</ActionButton>}
      command={curl({ path: '/api/v1/usage' })}
    >
      Nothing is used yet, and the account has no active plan.
    </Empty>
  );
}

function shownDays({ period }: UsageData, name: RangeName) {
  const { days } = ranges[name];
  const tomorrow = Math.ceil(Date.now() / day) * day;
  if (days !== null) return { from: tomorrow - days * day, to: tomorrow };
  return { from: Math.floor(Date.parse(period.start) / day) * day, to: Math.ceil(Date.parse(period.end) / day) * day };
}

/** The one large figure: what is used of what there is, and where this pace leads. */
function Quota({ usage: { totals, period }, ranged }: { usage: UsageData; ranged: boolean }) {
  if (totals.quota === 0)
    return (
      <p>
        <strong className="figure numbers">{totals.quantity}</strong> jobs. The account has no active plan;{' '}
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
          {totals.remaining} left · new period on {sayDay(period.end)}
        </span>
      </div>
      <div className="bar" role="img" aria-label={`${Math.round(share)} percent used`}>
        <span style={{ width: `${share}%` }} />
      </div>
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

function Sums({ usage: { summaries } }: { usage: UsageData }) {
  const { familyName } = useServiceNames();
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
      <SumTable
        head="By key"
        rows={[
          ...summaries.by_api_key.map(({ api_key_id: key, name, quantity }) => ({ key, name, quantity })),
          ...(all > byKeys ? [{ key: 'people', name: 'People, without a key', quantity: all - byKeys }] : []),
        ]}
      />
    </div>
  );
}

type Sum = { key: string; name: ReactNode; quantity: number; of?: number };

function SumTable({ head, rows }: { head: string; rows: Sum[] }) {
  const sorted = rows.toSorted((one, other) => other.quantity - one.quantity);
  const most = Math.max(1, ...rows.map(({ quantity, of }) => of ?? quantity));
  return (
    <table className="list tight sum-table">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" aria-label="Share" />
          <th scope="col" className="end">
            Jobs
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ key, name, quantity, of }) => (
          <tr key={key}>
            <td className="ink">{name}</td>
            <td>
              <div className="bar">
                <span style={{ width: `${(Math.max(0, quantity) / (of || most)) * 100}%` }} />
              </div>
            </td>
            <td className="end numbers">
              {quantity}
              {of !== undefined && <span className="third"> of {of}</span>}
            </td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={3}>Nothing yet</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
