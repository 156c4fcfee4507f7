import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMoney } from '../../contract/money.ts';
import { providerPage } from '../billing/provider-page.ts';
import type { Provider } from '../billing/provider.ts';
import type { Db } from '../db/pool.ts';
import { shownStatus, usable } from '../entitlements/entitlement.ts';
import { showId } from '../lib/id.ts';
import { isOpen } from './desk-job.ts';

type Shown = AnswerOf<typeof readMoney>['body']['money']['accounts'][number];
type Row = Pick<Shown, 'plan_code' | 'name' | 'status' | 'collection_paused' | 'open_jobs'> & {
  account_id: string;
  account_name: string;
  customer: string | null;
  since: Date;
  ends_at: Date | null;
  orders_until: Date | null;
  next_due_at: Date | null;
};

/**
 * Accounts with open jobs whose plan gives no access, soon gives none, or is not paid: of each its worst
 * plan. An ended plan counts only if no other plan gives access.
 */
const troubled = (graceHours: number) => sql`
  open_work as (
    select j.account_id, count(*)::int as open_jobs, min(j.due_at) filter (where j.due_round = j.revisions_used
      and j.status in ('queued', 'accepted', 'running', 'needs_review')) as next_due_at
    from jobs j where ${isOpen} group by j.account_id
  ),
  plans as (
    select o.account_id, o.open_jobs, o.next_due_at, e.id, e.code, e.name, e.collection_paused, e.ends_at, e.granted_at,
      e.subscription, ${shownStatus(graceHours)} as status, coalesce(${usable(graceHours)}, false) as usable,
      least(e.serves_until, e.ends_at, p.period_end
        + case when e.status = 'active' then make_interval(hours => ${graceHours}::int) else interval '0' end) as until,
      coalesce(e.state_since, e.event_created_at) as state_since
    from open_work o
    join entitlements e on e.account_id = o.account_id
    join entitlement_periods p on p.account_id = o.account_id and p.entitlement_id = e.id
  ),
  ranked as (
    select plans.*, case
        when status = 'past_due' then 1
        when status = 'stopped' then 2
        when status = 'paused' then 3
        when collection_paused and usable then 4
        when status in ('canceled', 'expired') and not bool_or(usable) over (partition by account_id) then 5
        when usable and ends_at < now() + interval '30 days' then 6
      end as severity
    from plans
  ),
  chosen as (
    select distinct on (account_id) * from ranked where severity is not null
    order by account_id, severity, granted_at desc, id desc
  )`;

export async function troubledAccounts(
  { db, provider, graceHours }: { db: Db; provider: Provider; graceHours: number },
  atMost: number,
): Promise<Shown[]> {
  const { rows } = await sql<Row>`
    with ${troubled(graceHours)}
    select c.account_id, a.name as account_name, c.code as plan_code, c.name, c.status, c.collection_paused, c.open_jobs,
      c.ends_at, c.next_due_at, case when c.usable then c.until end as orders_until,
      case c.status when 'canceled' then coalesce(c.ends_at, c.state_since) when 'expired' then c.until
        else c.state_since end as since,
      (select k.customer from provider_customers k
        where k.account_id = c.account_id and k.provider = ${provider.name} and k.gone_at is null) as customer
    from (select * from chosen order by severity = 6, next_due_at nulls last, account_id limit ${atMost}) c
    join accounts a on a.id = c.account_id
    order by c.severity = 6, c.next_due_at nulls last, c.account_id`.execute(db);
  return rows.map(({ account_id, account_name, customer, since, ends_at, orders_until, next_due_at, ...row }) => ({
    ...row,
    account: { id: showId('acct', account_id), name: account_name },
    since: since.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    orders_until: orders_until?.toISOString() ?? null,
    next_due_at: next_due_at?.toISOString() ?? null,
    page: providerPage(provider, 'customers', customer),
  }));
}

/** Without those that only end soon: nothing has happened there yet. */
export async function countTroubledAccounts(db: Db, graceHours: number): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    with ${troubled(graceHours)} select count(*)::int as accounts from chosen where severity < 6`.execute(db);
  return rows[0]?.accounts ?? 0;
}
