import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { EventType } from '../../contract/jobs/job.ts';
import { type JobStatus, type MoveName, moves } from '../../contract/moves.ts';
import { checkDatabase } from '../../server/check/check-database.ts';
import { type Db, transact } from '../../server/db/pool.ts';
import { newId, showId } from '../../server/lib/id.ts';
import { insertAccount } from '../../server/sign-in/person.ts';
import { waysTo } from './jobs.ts';
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
  const id = newId();
  await transact(db, (trx) => insertAccount(trx, { id, name: 'An account', ownerId: person.userId }));
  await db.updateTable('sessions').set({ account_id: id }).where('id', '=', person.sessionId).execute();
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

/** Moves that lead to a status and give no quota back. */
const historyOf: Record<JobStatus, MoveName[]> = {
  ...waysTo,
  canceled: ['accept', 'start', 'cancel'],
  rejected: ['accept', 'start', 'submit', 'pass', 'revision', 'reject'],
};

const eventOf: Partial<Record<MoveName, EventType>> = {
  accept: 'job.accepted',
  start: 'job.started',
  submit: 'job.submitted',
  pass: 'job.ready_for_customer_review',
  approve: 'job.completed',
  revision: 'job.revision_requested',
  reject: 'job.rejected',
  cancel: 'job.canceled',
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
  const moved = (status: JobStatus, move: MoveName) => historyOf[status].includes(move);
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
        revisions_used: Number(moved(status, 'revision')),
        last_seq: 1 + historyOf[status].length,
        ever_submitted: moved(status, 'submit'),
        ever_released: moved(status, 'pass'),
        review_due_at: status === 'ready_for_customer_review' ? sql<Date>`now() + interval '72 hours'` : null,
        ...(status === 'rejected' ? { reason_code: 'other', reason_message: 'No.' } : {}),
      })),
    )
    .execute();
  await insertHistories(db, accountId, jobs);
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

type SeededEvent = {
  job_id: string;
  job_seq: number;
  type: EventType;
  status: JobStatus;
  previous_status: JobStatus | null;
};

/** The events, submissions and revisions that the moves of these jobs would have made. */
async function insertHistories(
  db: Db,
  account_id: string,
  jobs: readonly { id: string; status: JobStatus }[],
): Promise<void> {
  const events = jobs.flatMap(({ id, status }): SeededEvent[] => [
    { job_id: id, job_seq: 1, type: 'job.created', status: 'queued', previous_status: null },
    ...historyOf[status].map((move, n) => ({
      job_id: id,
      job_seq: n + 2,
      type: eventOf[move]!,
      status: moves[move].to,
      previous_status: n === 0 ? 'queued' : moves[historyOf[status][n - 1]!].to,
    })),
  ]);
  const { last_event } = await db
    .updateTable('account_counters')
    .set({ last_event: sql`last_event + ${events.length}` })
    .where('account_id', '=', account_id)
    .returning('last_event')
    .executeTakeFirstOrThrow();
  const rest = { account_id, actor: 'service' as const, message: 'Was there before.', request_id: 'before' };
  await db
    .insertInto('events')
    .values(events.map((event, n) => ({ ...rest, ...event, id: newId(), seq: Number(last_event) - n })))
    .execute();
  const of = (move: MoveName) =>
    jobs.filter(({ status }) => historyOf[status].includes(move)).map(({ id }) => ({ account_id, job_id: id }));
  const submissions = of('submit').map((job) => ({ ...job, round: 0, message: 'Was there before.' }));
  if (submissions.length > 0) await db.insertInto('job_submissions').values(submissions).execute();
  for (const { job_id } of of('pass'))
    await db
      .updateTable('job_submissions')
      .set({ released_at: sql`now()` })
      .where('job_id', '=', job_id)
      .execute();
  const revisions = of('revision').map((job) => ({ ...job, round: 1, customer_instructions: 'Was there before.' }));
  if (revisions.length > 0) await db.insertInto('job_revisions').values(revisions).execute();
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

/** What the judge of `npm run admin -- check` finds, for one account or for all. Empty at any time. */
export async function bookFaults(db: Db, accountId: string | null = null): Promise<string[]> {
  const { contradictions } = await checkDatabase(db);
  return contradictions.flatMap(({ rule, examples }) =>
    examples
      .filter(({ account_id }) => accountId === null || account_id === showId('acct', accountId))
      .map(({ subject, fault }) => `${subject} ${fault} (${rule})`),
  );
}
