import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readMoney } from '../../../contract/desk/money.ts';
import type { Period } from '../../billing/anchored-month.ts';
import { type Catalog, offeredPlans, type Plan } from '../../catalog/catalog.ts';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { usable } from '../../entitlements/entitlement.ts';

type Money = AnswerOf<typeof readMoney>['body']['money'];
type Subscribed = Pick<
  Money['plans'][number],
  'plan_code' | 'name' | 'accounts' | 'started' | 'ended' | 'used' | 'quota'
>;
type Dependencies = { db: Db; catalog: Catalog; graceHours: number };

const perMonth = ({ price }: Plan): number => price.unit_amount / (price.interval === 'year' ? 12 : 1);

/** Those on sale, the dearest first, then others that an account has or paid for. */
export async function plansOfMonth(
  { db, catalog, graceHours }: Dependencies,
  period: Period,
  paidCodes: ReadonlySet<string | null>,
): Promise<Money['plans']> {
  const rows = await transact(db, (trx) => countPlans(trx, period, graceHours));
  const none = { accounts: 0, started: 0, ended: 0, used: 0, quota: 0 };
  const offered = offeredPlans(catalog);
  const onSale = offered
    .toSorted((a, b) => perMonth(b) - perMonth(a))
    .map(({ code, name, price }) => ({
      ...(rows.find((row) => row.plan_code === code) ?? none),
      plan_code: code,
      name,
      price,
    }));
  const others = rows.filter(
    ({ plan_code, accounts, started, ended }) =>
      !offered.some(({ code }) => code === plan_code) && (accounts + started + ended > 0 || paidCodes.has(plan_code)),
  );
  return [...onSale, ...others.map((row) => ({ ...row, price: null }))];
}

/** Reads both tables whole. The planning of the service is for single rows. */
async function countPlans(trx: Trx, { start, end }: Period, graceHours: number): Promise<Subscribed[]> {
  await sql`select set_config('enable_seqscan', 'on', true)`.execute(trx);
  const { rows } = await sql<Subscribed>`
    select s.code as plan_code, max(s.name) as name, count(*) filter (where s.usable)::int as accounts,
      count(*) filter (where s.granted_at >= ${start} and s.granted_at < ${end})::int as started,
      count(*) filter (where s.ended_at >= ${start} and s.ended_at < ${end})::int as ended,
      coalesce(sum(s.used) filter (where s.usable), 0)::int as used,
      coalesce(sum(s.quota) filter (where s.usable), 0)::int as quota
    from (
      select e.code, e.name, e.granted_at, e.quota, p.used, coalesce(${usable(graceHours)}, false) as usable,
        case when e.status = 'canceled' then coalesce(e.ends_at, e.event_created_at) end as ended_at
      from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    ) s group by s.code order by s.code`.execute(trx);
  return rows;
}
