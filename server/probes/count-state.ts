import { type RawBuilder, sql } from 'kysely';
import { isEnded, jobStatuses } from '../../contract/moves.ts';
import { needsLook } from '../billing/list-provider-events.ts';
import type { Db } from '../db/pool.ts';
import { duePosition, hasParked, isOpen, isOverdue } from '../desk/desk-job.ts';

/** What somebody may have to act on, as it was when one process counted it. */
export type StateFigures = {
  jobs: Record<string, number>;
  oldest_queued_seconds: number;
  overdue: number;
  parked: number;
  mails_due: number;
  mails_retried: number;
  oldest_mail_seconds: number;
  deliveries_due: number;
  oldest_delivery_seconds: number;
  disabled_endpoints: Record<string, number>;
  provider_events: number;
  storage_up: boolean | null;
};

/** Counting stops here, so that a statement stays short whatever a table holds. */
const most = 100_000;

const openStatuses = jobStatuses.filter((status) => !isEnded(status));

const count = (rows: RawBuilder<unknown>) => sql`(select count(*)::int from (${rows} limit ${most}) as counted)`;
const secondsSince = (time: RawBuilder<unknown>) =>
  sql`coalesce(greatest(0, extract(epoch from now() - (${time})))::float8, 0)`;

type Counted = Omit<StateFigures, 'storage_up'>;

/** A job that was parked or waits for the customer is in the queue, but nobody is late with it. */
const isClaimable = sql`j.status = 'queued' and j.held_since is null and j.waiting_since is null and not ${hasParked}`;

/** Each figure goes by an index of the few rows that it counts: no history is read. */
export async function countState(db: Db): Promise<Counted> {
  const jobsOf = openStatuses.map(
    (status) =>
      sql`${sql.lit(status)}, ${count(sql`select from jobs j where ${isOpen} and j.status = ${sql.lit(status)}`)}`,
  );
  const { rows } = await sql<Counted>`
    with waiting as (
      select account_id, endpoint_id, count(*) filter (where due_at <= now()) as due, min(due_at) as oldest
      from (select account_id, endpoint_id, due_at from webhook_deliveries where done_at is null limit ${most}) d
      group by account_id, endpoint_id
    ),
    deliverable as (
      select w.due, w.oldest from waiting w
      join webhook_endpoints e on e.account_id = w.account_id and e.id = w.endpoint_id and e.disabled_reason is null
    )
    select json_build_object(${sql.join(jobsOf)}) as jobs,
      ${secondsSince(sql`select j.created_at from jobs j where ${isOpen} and ${isClaimable} order by j.created_at, j.id limit 1`)}
        as oldest_queued_seconds,
      ${count(sql`select from jobs j where ${isOpen} and ${duePosition} < now() and ${isOverdue}`)} as overdue,
      ${count(sql`select from jobs j where ${hasParked}`)} as parked,
      ${count(sql`select from mails where due_at <= now()`)} as mails_due,
      -- A mail that failed is due again within an hour; one that is being sent now has its first attempt.
      ${count(sql`select from mails where due_at <= now() + interval '1 hour' and attempts > 1`)} as mails_retried,
      ${secondsSince(sql`select min(due_at) from mails where due_at <= now()`)} as oldest_mail_seconds,
      (select coalesce(sum(due), 0)::int from deliverable) as deliveries_due,
      ${secondsSince(sql`select min(oldest) from deliverable`)} as oldest_delivery_seconds,
      (select coalesce(json_object_agg(disabled_reason, endpoints), '{}') from (
        select disabled_reason, count(*) as endpoints from webhook_endpoints where disabled_reason is not null
        group by disabled_reason) e) as disabled_endpoints,
      ${count(sql`select from provider_events e where ${needsLook}`)} as provider_events`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A count returns one row.');
  return row;
}
