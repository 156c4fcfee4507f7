import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { AccountEvent, AccountEventType } from '../../contract/jobs/events.ts';
import { jobLinks } from '../../contract/jobs/job-links.ts';
import type { Actor, JobStatus } from '../../contract/moves.ts';
import { batch } from '../db/batch.ts';
import type { Db, Trx } from '../db/pool.ts';
import { showId, withCreatorId } from '../lib/id.ts';
import type { EventData } from './append-events.ts';

export type EventCreator = NonNullable<Static<typeof AccountEvent>['created_by']>;

/**
 * Of an event `v`: the person or key of the customer behind it. What the studio did has none, except its
 * orders for the account.
 */
export const eventCreator = sql<EventCreator | null>`case when v.actor = 'customer' then coalesce(
  (select json_build_object('kind', case when k.app_client_id is null then 'api_key' else 'app' end, 'id', k.id,
    'name', k.name) from api_keys k where k.id = v.api_key_id),
  (select json_build_object('kind', 'user', 'id', u.id, 'name', u.name) from people u where u.id = v.user_id))
  when v.actor = 'operator' and v.type = 'job.created' then
  (select json_build_object('kind', 'operator', 'id', u.id, 'name', u.name) from people u where u.id = v.user_id) end`;

/** Postgres returns 64-bit numbers as text. */
export type EventRow = {
  account_id: string;
  seq: string;
  id: string;
  type: AccountEventType;
  job_id: string | null;
  job_seq: number;
  status: JobStatus;
  previous_status: JobStatus | null;
  actor: Actor;
  message: string;
  request_id: string;
  data: EventData | null;
  created_at: Date;
  created_by: EventCreator | null;
  reference: string | null;
};

/**
 * The reference of the job of an event `v`. A scalar: read by the primary key of jobs, whatever the plan. A
 * statement about one account names it.
 */
export const referenceOfJob = (account: RawBuilder<unknown> = sql`v.account_id`) => sql`(select j.reference from jobs j
  where j.account_id = ${account} and j.id = v.job_id) as reference`;

export const eventColumns = (
  account?: RawBuilder<unknown>,
) => sql`v.account_id, v.seq, v.id, v.type, v.job_id, v.job_seq, v.status, v.previous_status, v.actor,
  v.message, v.request_id, v.data, v.created_at, ${eventCreator} as created_by, ${referenceOfJob(account)}`;

export function showAccountEvent(row: EventRow): Static<typeof AccountEvent> {
  const job = row.job_id === null ? null : showId('job', row.job_id);
  return {
    id: showId('evt', row.id),
    seq: Number(row.seq),
    type: row.type,
    created_at: row.created_at.toISOString(),
    actor: row.actor,
    created_by: row.created_by && withCreatorId(row.created_by),
    request_id: row.request_id,
    message: row.message,
    job:
      job === null
        ? null
        : {
            id: job,
            seq: row.job_seq,
            status: row.status,
            previous_status: row.previous_status,
            reference: row.reference,
            links: jobLinks(job),
          },
    data: row.data ?? {},
  };
}

/** The last event of an account, and the number up to which events may have been deleted. */
export async function logBounds(db: Db | Trx, accountId: string): Promise<{ latest: number; expired: number }> {
  const row = await db
    .selectFrom('account_counters')
    .select(['last_event', 'expired_event'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { latest: Number(row.last_event), expired: Number(row.expired_event) };
}

/** Whether nothing after this cursor has been deleted. 0 is the beginning of the stored log. */
export const isReadable = (after: number, { latest, expired }: { latest: number; expired: number }): boolean =>
  after <= latest && (after === 0 || after >= expired);

type From = { accountId: string; after: number };
export type ReadLog = (from: From) => Promise<EventRow[]>;

export const pageSize = 200;

/** Concurrent readers share a statement, and the same page is read once. */
export function createLogReader(db: Db): ReadLog {
  return batch(
    async (froms: readonly From[]) => {
      const keyOf = ({ accountId, after }: From) => `${accountId} ${after}`;
      const distinct = new Map(froms.map((from) => [keyOf(from), from]));
      const places = [...distinct.values()];
      const { rows } = await sql<EventRow & { after: string }>`
        select w.after, ${eventColumns()}
        from unnest(${places.map(({ accountId }) => accountId)}::uuid[], ${places.map(({ after }) => after)}::bigint[])
          as w (account_id, after)
        cross join lateral (
          select * from events where account_id = w.account_id and seq > w.after order by seq limit ${pageSize}
        ) v`.execute(db);
      const pages = new Map(places.map((place) => [keyOf(place), [] as EventRow[]]));
      for (const { after, ...row } of rows) pages.get(`${row.account_id} ${after}`)?.push(row);
      return froms.map((from) => pages.get(keyOf(from)) ?? []);
    },
    { maxBatchSize: 500, maxInFlight: 2 },
  );
}
