import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { JobStatus } from '../../contract/moves.ts';
import type { Db } from '../../server/db/pool.ts';
import { newId } from '../../server/lib/id.ts';
import type { TestPerson } from './people.ts';
import type { Service } from './harness.ts';

/**
 * Inserts plans and jobs into the database, for states that requests would take too long to reach. The rows
 * are consistent: each job is charged once, and the counters equal the rows.
 */
export type PlanState = {
  access_kind: 'human' | 'agent' | 'both';
  status: 'active' | 'past_due' | 'paused' | 'canceled';
  quota: number;
  concurrency_limit: number;
  /** The end of the period, in minutes from now; it began 30 days earlier. */
  endsIn: number;
};

export type InsertedPlan = PlanState & { id: string; code: string; period_start: Date; period_end: Date };

/** Opens another account for the person and switches the session to it. */
export async function openAccount({ context: { db } }: Service, person: TestPerson): Promise<TestPerson> {
  const name = { name: 'An account', slug: randomUUID() };
  const { id } = await db.insertInto('auth.account').values(name).returning('id').executeTakeFirstOrThrow();
  await db
    .insertInto('auth.member')
    .values({ account_id: id, user_id: person.userId, role: 'owner' as const })
    .execute();
  await db.updateTable('auth.session').set({ account_id: id }).where('id', '=', person.sessionId).execute();
  return { ...person, accountId: id };
}

export async function insertPlan(db: Db, accountId: string, code: string, plan: PlanState): Promise<InsertedPlan> {
  const { endsIn, ...columns } = plan;
  const period_end = new Date(Date.now() + endsIn * 60_000);
  const period_start = new Date(period_end.getTime() - 30 * 86_400_000);
  const order = { created_at: new Date(), rank: 0 };
  const subscription = `sub_${randomUUID()}`;
  await db.insertInto('subscriptions').values({ id: subscription, account_id: accountId }).execute();
  const { id } = await db
    .insertInto('entitlements')
    .values({
      ...columns,
      code,
      name: code,
      unit: 'job',
      account_id: accountId,
      subscription,
      event_created_at: order.created_at,
      event_rank: order.rank,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('entitlement_periods')
    .values({
      account_id: accountId,
      entitlement_id: id,
      period_start,
      period_end,
      anchor: period_start,
      grant_created_at: order.created_at,
      grant_rank: order.rank,
    })
    .execute();
  return { ...plan, id, code, period_start, period_end };
}

export type JobState = {
  status: JobStatus;
  created_at?: Date;
  service_family?: string;
  /** The period in which it was charged. Only the current one counts as used. */
  charged?: 'now' | 'earlier';
};

/** Inserts jobs charged to this plan and returns their ids in order. */
export async function insertJobs(
  db: Db,
  accountId: string,
  plan: InsertedPlan,
  states: readonly JobState[],
): Promise<string[]> {
  const jobs = states.map((state) => ({ service_family: 'design', charged: 'now', ...state, id: newId() }));
  if (jobs.length === 0) return [];
  const own = { account_id: accountId, plan_code: plan.code };
  await db
    .insertInto('jobs')
    .values(
      jobs.map(({ id, status, service_family, created_at }) => ({
        ...own,
        id,
        status,
        service_family,
        ...(created_at ? { created_at } : {}),
        service_type: 'logo',
        customer_title: 'A job',
        customer_instructions: 'As before.',
        source: 'api',
        created_by_key: newId(),
        quality_review: true,
        auto_approval_hours: 72,
        revisions_included: 2,
        ...(status === 'rejected' ? { reason_code: 'other', reason_message: 'No.' } : {}),
      })),
    )
    .execute();
  const { last_event } = await db
    .updateTable('account_counters')
    .set({ last_event: sql`last_event + ${jobs.length}` })
    .where('account_id', '=', accountId)
    .returning('last_event')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('events')
    .values(
      jobs.map(({ id, status }, n) => ({
        account_id: accountId,
        seq: Number(last_event) - n,
        id: newId(),
        job_id: id,
        job_seq: 1,
        type: 'job.created',
        status,
        actor: 'customer',
        message: 'Was there before.',
        request_id: 'before',
      })),
    )
    .execute();
  const earlier = new Date(plan.period_start.getTime() - 30 * 86_400_000);
  await db
    .insertInto('usage_ledger')
    .values(
      jobs.map(({ id, service_family, charged }) => ({
        ...own,
        id: newId(),
        entitlement_id: plan.id,
        period_start: charged === 'now' ? plan.period_start : earlier,
        job_id: id,
        service_family,
        unit: 'job',
        quantity: 1,
      })),
    )
    .execute();
  await sql`
    insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
    ${sumsOfLedger(sql`job_id = any(${jobs.map(({ id }) => id)}::uuid[])`)}
    on conflict (account_id, day, entitlement_id, period_start, service_family, api_key_id)
      do update set quantity = usage_totals.quantity + excluded.quantity`.execute(db);
  await sql`
    update account_counters set active_jobs = active_jobs + ${jobs.filter(({ status }) => !isOver(status)).length}
    where account_id = ${accountId}`.execute(db);
  await sql`
    update entitlement_periods set used = used + ${jobs.filter(({ charged }) => charged === 'now').length}
    where entitlement_id = ${plan.id}`.execute(db);
  return jobs.map(({ id }) => id);
}

/** Recomputes the daily totals of an account from its ledger. */
export async function sumUp(db: Db, accountId: string): Promise<void> {
  await sql`delete from usage_totals where account_id = ${accountId}`.execute(db);
  await sql`
    insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
    ${sumsOfLedger(sql`account_id = ${accountId}`)}`.execute(db);
}

const sumsOfLedger = (condition: RawBuilder<unknown>) => sql`
    select account_id, (created_at at time zone 'UTC')::date as day, entitlement_id, period_start, service_family,
      coalesce(api_key_id, '00000000-0000-0000-0000-000000000000') as api_key_id, sum(quantity)::int as quantity
    from usage_ledger where ${condition} group by 1, 2, 3, 4, 5, 6`;

const isOver = (status: JobStatus) => ['completed', 'rejected', 'canceled'].includes(status);

/**
 * Lists where counters, ledger, jobs and events disagree, for one account or for all. It must be empty at any
 * time, since a statement sees only whole transactions. It checks the invariants of ARCHITECTURE.md.
 */
export async function bookFaults(db: Db, accountId: string | null = null): Promise<string[]> {
  const mine = (column: string) => (accountId === null ? sql`true` : sql`${sql.ref(column)} = ${accountId}`);
  const { rows } = await sql<{ fault: string }>`
    select 'active_jobs of ' || c.account_id || ' is ' || c.active_jobs || ', not ' || n.jobs as fault
    from account_counters c
    cross join lateral (select count(*) as jobs from jobs j where j.account_id = c.account_id
      and j.status not in ('completed', 'rejected', 'canceled')) n
    where ${mine('c.account_id')} and c.active_jobs <> n.jobs
    union all
    select 'used of ' || e.code || ' is ' || p.used || ', not ' || n.quantity
    from entitlement_periods p join entitlements e on e.id = p.entitlement_id
    cross join lateral (select coalesce(sum(l.quantity), 0) as quantity from usage_ledger l
      where l.entitlement_id = p.entitlement_id and l.period_start = p.period_start) n
    where ${mine('e.account_id')} and p.used <> n.quantity
    union all
    select 'job ' || j.id || ' has ' || n.charges || ' charges and ' || n.reversals || ' reversals'
    from jobs j
    cross join lateral (select count(*) filter (where l.quantity = 1) as charges,
      count(*) filter (where l.quantity = -1) as reversals from usage_ledger l where l.job_id = j.id) n
    where ${mine('j.account_id')} and (n.charges <> 1 or n.reversals > 1)
    union all
    select 'reversal ' || r.id || ' is not of the row it names'
    from usage_ledger r join usage_ledger c on c.account_id = r.account_id and c.job_id = r.job_id and c.quantity = r.reverses
    where ${mine('r.account_id')} and (c.quantity <> 1 or
      (r.account_id, r.entitlement_id, r.plan_code, r.period_start, r.job_id, r.api_key_id, r.service_family, r.unit)
      is distinct from
      (c.account_id, c.entitlement_id, c.plan_code, c.period_start, c.job_id, c.api_key_id, c.service_family, c.unit))
    union all
    select 'sum of ' || coalesce(t.day, l.day) || ' is ' || coalesce(t.quantity, 0) || ', not ' || coalesce(l.quantity, 0)
    from usage_totals t full join (${sumsOfLedger(sql`true`)}) l
      using (account_id, day, entitlement_id, period_start, service_family, api_key_id)
    where ${mine('account_id')} and t.quantity is distinct from l.quantity
    union all
    select 'job ' || j.id || ' is ' || j.status || ' at ' || j.last_seq || ', its events end ' || coalesce(n.status, 'nowhere')
    from jobs j
    cross join lateral (select count(*) as events, max(v.job_seq) as last,
      (array_agg(v.status order by v.job_seq desc))[1] as status from events v where v.job_id = j.id) n
    where ${mine('j.account_id')}
      and (n.events <> j.last_seq or n.last is distinct from j.last_seq or n.status is distinct from j.status)
  `.execute(db);
  return rows.map(({ fault }) => fault);
}
