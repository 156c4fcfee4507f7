import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import type { Claimed } from './claim-deliveries.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import type { Attempt } from './post-delivery.ts';
import { secondsToRetry } from './retry-schedule.ts';

export type Result = { delivery: Claimed; attempt: Attempt };

const succeeded = ({ status }: Attempt) => status !== null && status >= 200 && status < 300;

export type Outcome = 'delivered' | 'retried' | 'dead';

/**
 * Returns what came of each. A delivery that another attempt finished stays finished. A redelivery that
 * arrived ends the delivery of the same event that still waits, so that later events of the job follow.
 */
export async function recordAttempts(db: Db, results: readonly Result[]): Promise<Outcome[]> {
  const rows = results.map(({ delivery, attempt }) => {
    const delivered = succeeded(attempt);
    const retry =
      delivered || delivery.once || delivery.event === null
        ? null
        : secondsToRetry(delivery.attempt, attempt.retryAfter);
    return {
      account_id: delivery.account_id,
      endpoint_id: delivery.endpoint_id,
      delivery_id: delivery.id,
      attempt: delivery.attempt,
      at: delivery.at.toISOString(),
      status: attempt.status,
      error: attempt.error,
      ms: attempt.ms,
      answer: attempt.answer,
      // Of an event that arrived by a redelivery.
      ends: delivered && delivery.once ? delivery.event?.seq : null,
      outcome: delivered ? ('delivered' as const) : retry === null ? ('dead' as const) : null,
      retry,
      // A failed test or redelivery is not a lost event.
      failed: !delivered && !delivery.once,
    };
  });
  await sql`
    with results as (
      select *, now() as recorded_at from json_to_recordset(${JSON.stringify(rows)}::json) as r (account_id uuid, endpoint_id uuid,
        delivery_id uuid, attempt int, at timestamptz, status int, error text, ms int, answer text, outcome text,
        retry float8, failed boolean, ends bigint)
    ),
    endpoints as (
      select e.account_id, e.id from webhook_endpoints e
      where e.account_id = any (array(select account_id from results)) and e.id = any (array(select endpoint_id from results))
      order by e.account_id, e.id for no key update
    ),
    attempted as (
      insert into webhook_attempts (account_id, endpoint_id, delivery_id, attempt, at, status, error, ms, answer)
      select r.account_id, r.endpoint_id, r.delivery_id, r.attempt, r.at, r.status, r.error, r.ms, r.answer
      from endpoints e join results r on r.account_id = e.account_id and r.endpoint_id = e.id
      on conflict do nothing
    ),
    ended as (
      select w.account_id, w.endpoint_id, w.id, 'delivered' as outcome, r.recorded_at
      from endpoints e join results r on r.account_id = e.account_id and r.endpoint_id = e.id and r.ends is not null
      cross join lateral (select d.account_id, d.endpoint_id, d.id from webhook_deliveries d
        where d.account_id = r.account_id and d.endpoint_id = r.endpoint_id and d.seq = r.ends
          and d.done_at is null and not d.once limit 1) w
    ),
    outcomes as (
      select distinct on (o.account_id, o.endpoint_id, o.id) o.* from (
        select account_id, endpoint_id, id, outcome, recorded_at, 0 as retry from ended
        union all
        select r.account_id, r.endpoint_id, r.delivery_id, r.outcome, r.recorded_at, r.retry
        from endpoints e join results r on r.account_id = e.account_id and r.endpoint_id = e.id) o
      order by o.account_id, o.endpoint_id, o.id, o.outcome = 'delivered' desc nulls last
    ),
    deliveries as (
      update webhook_deliveries d
      set outcome = o.outcome, done_at = case when o.outcome is not null then o.recorded_at end,
        due_at = now() + make_interval(secs => coalesce(o.retry, 0))
      from outcomes o
      -- By its outcome, not by done_at: an index of what waits would be read instead of that by id.
      where d.account_id = o.account_id and d.endpoint_id = o.endpoint_id and d.id = o.id and d.outcome is null
    )
    update webhook_endpoints e set
      last_success_at = case when n.succeeded then n.recorded_at else e.last_success_at end,
      failing_since = case when n.succeeded then null when n.failed then coalesce(e.failing_since, n.recorded_at)
        else e.failing_since end,
      warned_at = case when n.succeeded then null else e.warned_at end
    from (select r.account_id, r.endpoint_id, bool_or(r.outcome = 'delivered') as succeeded,
        bool_or(r.failed) as failed, max(r.recorded_at) as recorded_at
      from endpoints e join results r on r.account_id = e.account_id and r.endpoint_id = e.id
      group by r.account_id, r.endpoint_id) n
    where e.account_id = n.account_id and e.id = n.endpoint_id`.execute(db);
  await disableGone(db, results);
  return rows.map(({ outcome }) => outcome ?? 'retried');
}

/** 410 means that the receiver wants no more deliveries. */
async function disableGone(db: Db, results: readonly Result[]): Promise<void> {
  const gone = results.filter(({ attempt, delivery }) => attempt.status === 410 && !delivery.once);
  const keys = new Map(gone.map(({ delivery }) => [delivery.endpoint_id, delivery.account_id]));
  for (const [id, account_id] of keys)
    await transact(db, (trx) => disableEndpoint(trx, { account_id, id }, 'gone', byService()));
}
