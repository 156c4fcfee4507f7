import { type RawBuilder, sql } from 'kysely';
import { isEnded, jobStatuses } from '../../contract/moves.ts';
import { needsLook } from '../billing/list-provider-events.ts';
import type { Db } from '../db/pool.ts';
import { mailKinds } from '../mail/kinds.ts';
import { isInTurn, waiting } from '../webhooks/claim-deliveries.ts';
import { duePosition, hasParked, isOpen, isOverdue } from '../desk/queue/desk-job.ts';

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
  /** Undefined when a process of 0.2.0 counted. */
  failing_endpoints?: number;
  disabled_endpoints: Record<string, number>;
  provider_events: number;
  /** Jobs whose words are not stored for the search of the desk. Undefined as above. */
  unindexed_jobs?: number;
  /** Films that wait for a look or a copy, and those of the last day that got none. Undefined as above. */
  films?: { pending: number; oldest_seconds: number; failed: number };
};

/** Of each kind of mail: the hours from its first attempt until it expires. */
const hoursOfKinds = JSON.stringify(
  Object.fromEntries(Object.entries(mailKinds).map(([kind, { hours }]) => [kind, hours])),
);

/** Counting stops here, so that a statement stays short whatever a table holds. */
const most = 100_000;
/** Of one endpoint, so that those of others are counted, too. */
const mostOfEndpoint = 1_000;

const openStatuses = jobStatuses.filter((status) => !isEnded(status));

const count = (rows: RawBuilder<unknown>) => sql`(select count(*)::int from (${rows} limit ${most}) as counted)`;
const secondsSince = (time: RawBuilder<unknown>) =>
  sql`coalesce(greatest(0, extract(epoch from now() - (${time})))::float8, 0)`;

/** A job that was parked or waits for the customer is in the queue, but nobody is late with it. */
const isClaimable = sql`j.status = 'queued' and j.held_since is null and j.waiting_since is null and not ${hasParked}`;

const isFilmPending = sql`f.viewing_status = 'pending' and f.status = 'uploaded'`;

/** Each figure goes by an index of the few rows that it counts: no history is read. */
export async function countState(db: Db): Promise<StateFigures> {
  const jobsOf = openStatuses.map(
    (status) =>
      sql`${sql.lit(status)}, ${count(sql`select from jobs j where ${isOpen} and j.status = ${sql.lit(status)}`)}`,
  );
  const { rows } = await sql<StateFigures>`
    with recursive ${waiting},
    receivers as (
      select w.account_id, w.endpoint_id, e.failing_since
      from (select * from waiting limit ${most}) w
      cross join lateral (select disabled_reason, failing_since from webhook_endpoints e
        where e.account_id = w.account_id and e.id = w.endpoint_id limit 1) e
      where e.disabled_reason is null
    ),
    -- A receiver that fails now gets one delivery at a time: what waits for it says nothing about the service.
    deliverable as (
      select d.due_at
      from receivers w
      cross join lateral (select due_at from webhook_deliveries d
        where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and d.done_at is null and d.due_at <= now()
          and (d.once or ${isInTurn})
        order by d.due_at limit ${mostOfEndpoint}) d
      where w.failing_since is null
      limit ${most}
    )
    select json_build_object(${sql.join(jobsOf)}) as jobs,
      ${secondsSince(sql`select j.created_at from jobs j where ${isOpen} and ${isClaimable} order by j.created_at, j.id limit 1`)}
        as oldest_queued_seconds,
      ${count(sql`select from jobs j where ${isOpen} and ${duePosition} < now() and ${isOverdue}`)} as overdue,
      ${count(sql`select from jobs j where ${hasParked}`)} as parked,
      ${count(sql`select from mails where due_at <= now()`)} as mails_due,
      -- A mail that failed is due again within an hour; one that is being sent now has its first attempt.
      ${count(sql`select from mails where due_at <= now() + interval '1 hour' and attempts > 1`)} as mails_retried,
      -- A mail expires so many hours after it was first due; due_at is that of its next attempt.
      ${secondsSince(sql`
        select min(expires_at - make_interval(hours => (${hoursOfKinds}::jsonb ->> kind)::int))
        from (select kind, expires_at from mails
          where due_at <= now() + interval '1 hour' and (attempts > 0 or due_at <= now()) limit ${most}) unsent`)}
        as oldest_mail_seconds,
      (select count(*)::int from deliverable) as deliveries_due,
      ${secondsSince(sql`select min(due_at) from deliverable`)} as oldest_delivery_seconds,
      (select count(*)::int from receivers where failing_since is not null) as failing_endpoints,
      (select coalesce(json_object_agg(disabled_reason, endpoints), '{}') from (
        select disabled_reason, count(*) as endpoints from webhook_endpoints where disabled_reason is not null
        group by disabled_reason) e) as disabled_endpoints,
      ${count(sql`select from provider_events e where ${needsLook}`)} as provider_events,
      ${count(sql`select from unindexed_jobs`)} as unindexed_jobs,
      json_build_object('pending', ${count(sql`select from files f where ${isFilmPending}`)},
        'oldest_seconds', ${secondsSince(sql`select min(f.uploaded_at) from files f where ${isFilmPending}`)},
        'failed', ${count(sql`select from files f where f.viewing_status = 'failed' and f.uploaded_at > now() - interval '1 day'`)})
        as films`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A count returns one row.');
  return row;
}
