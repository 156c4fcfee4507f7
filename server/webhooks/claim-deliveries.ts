import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { eventCreator, type EventRow, referenceOfJob } from '../events/event.ts';
import { attemptsInOrder } from './retry-schedule.ts';

/** A delivery to send now; its attempt is already counted. No event: it is no longer stored. */
export type Claimed = {
  account_id: string;
  endpoint_id: string;
  id: string;
  attempt: number;
  once: boolean;
  at: Date;
  url: string;
  secrets: string[];
  event: EventRow | null;
};

/** Per endpoint and process. An endpoint without a success since its last failure gets one. */
const inFlight = 10;

/** Seconds after which deliveries claimed by a killed process are due again: longer than an attempt takes. */
export const claimedFor = 30;

/** Of a `with recursive`: the endpoints for which something waits, from one to the next through the index. */
export const waiting = sql`waiting as (
  (select account_id, endpoint_id from webhook_deliveries where done_at is null
    order by account_id, endpoint_id limit 1)
  union all
  select n.account_id, n.endpoint_id from waiting w cross join lateral (
    select account_id, endpoint_id from webhook_deliveries
    where done_at is null and (account_id, endpoint_id) > (w.account_id, w.endpoint_id)
    order by account_id, endpoint_id limit 1) n
)`;

/** An event waits for the first attempts of earlier events of its job. `d`: the delivery. */
export const isInTurn = sql`(d.job_id is null or not exists (
  select from webhook_deliveries earlier
  where earlier.account_id = d.account_id and earlier.endpoint_id = d.endpoint_id
    and earlier.job_id = d.job_id and earlier.seq < d.seq and earlier.done_at is null and not earlier.once
    -- The last of these attempts may be under way.
    and (earlier.attempts < ${attemptsInOrder} or (earlier.attempts = ${attemptsInOrder}
      and earlier.due_at <= now() + make_interval(secs => ${claimedFor})))))`;

type Row = Omit<Claimed, 'event'> &
  Omit<EventRow, 'id' | 'account_id' | 'seq'> & { event_id: string; event_seq: string | null };

/**
 * Claims up to `free` due deliveries, fairly between endpoints.
 * `busy`: what this process is sending, by endpoint.
 */
export async function claimDeliveries(db: Db, free: number, busy: ReadonlyMap<string, number>): Promise<Claimed[]> {
  const { rows } = await sql<Row>`
    with recursive ${waiting},
    due as (
      select d.account_id, d.endpoint_id, d.id, e.url
      from (select * from waiting order by random()) w
      cross join lateral (select * from webhook_endpoints e
        where e.account_id = w.account_id and e.id = w.endpoint_id limit 1) e
      left join unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) as b (endpoint_id, sending)
        on b.endpoint_id = w.endpoint_id
      cross join lateral (
        select d.account_id, d.endpoint_id, d.id from webhook_deliveries d
        where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and d.done_at is null and d.due_at <= now()
          and (d.once or (e.disabled_reason is null and ${isInTurn}))
        order by d.due_at, d.seq
        limit greatest(0, case when e.last_success_at is null or e.failing_since is not null then 1
          else ${inFlight}::int end - coalesce(b.sending, 0))
        for no key update of d skip locked
      ) d
      limit ${free}
    ),
    claimed as (
      update webhook_deliveries d
      set attempts = d.attempts + 1, due_at = now() + make_interval(secs => ${claimedFor})
      from due where d.account_id = due.account_id and d.endpoint_id = due.endpoint_id and d.id = due.id
      returning d.account_id, d.endpoint_id, d.id, d.attempts, d.once, d.seq, due.url
    )
    select c.account_id, c.endpoint_id, c.id, c.attempts as attempt, c.once, now() as at, c.url,
      array(select s.ciphertext from webhook_secrets s
        where s.account_id = c.account_id and s.endpoint_id = c.endpoint_id
          and (s.expires_at is null or s.expires_at > now())
        order by s.id desc) as secrets,
      v.seq as event_seq, v.id as event_id, v.type, v.job_id, v.job_seq, v.status,
      v.previous_status, v.actor, v.message, v.request_id, v.data, v.created_at,
      ${eventCreator} as created_by, ${referenceOfJob()}
    from claimed c
    -- In this order, so that the index by seq is taken whatever the tables hold when this is planned.
    left join lateral (select * from events v where v.account_id = c.account_id and v.seq >= c.seq
      order by v.seq limit 1) v on v.seq = c.seq
    order by c.seq`.execute(db);
  return rows.map(
    ({ account_id, endpoint_id, id, attempt, once, at, url, secrets, event_id, event_seq, ...event }) => ({
      account_id,
      endpoint_id,
      id,
      attempt,
      once,
      at,
      url,
      secrets,
      event: event_seq === null ? null : { ...event, account_id, id: event_id, seq: event_seq },
    }),
  );
}
