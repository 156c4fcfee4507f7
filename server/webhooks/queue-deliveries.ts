import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Events per endpoint, and endpoints, in one statement. */
const [maxEvents, maxEndpoints] = [200, 100];

/**
 * Queues deliveries of new events for enabled endpoints and advances their cursors. Returns how many
 * endpoints advanced. `accountIds`: where there may be new events; null for everywhere. Skips endpoints that
 * another process is advancing.
 */
export async function queueDeliveries(db: Db, accountIds: readonly string[] | null): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with endpoints as (
      select e.account_id, e.id, e.cursor, e.types
      from webhook_endpoints e join account_counters c on c.account_id = e.account_id
      where e.disabled_reason is null and c.last_event > e.cursor
        and (${accountIds}::uuid[] is null or e.account_id = any(${accountIds}::uuid[]))
      order by e.account_id, e.id limit ${maxEndpoints} for no key update of e skip locked
    ),
    new_events as (
      select e.account_id, e.id as endpoint_id, e.types, v.seq, v.id, v.type, v.job_id
      from endpoints e
      cross join lateral (
        select seq, id, type, job_id from events
        where account_id = e.account_id and seq > e.cursor order by seq limit ${maxEvents}
      ) v
    ),
    moved as (
      update webhook_endpoints e set cursor = n.last_seq
      from (select account_id, endpoint_id, max(seq) as last_seq from new_events group by account_id, endpoint_id) n
      where e.account_id = n.account_id and e.id = n.endpoint_id
      returning e.id
    ),
    queued as (
      insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id)
      select account_id, endpoint_id, seq, id, type, job_id from new_events
      -- A test is for one endpoint, and delivered by its verb.
      where type <> 'webhook_endpoint.test' and (types is null or type = any(types))
      order by account_id, endpoint_id, seq
    )
    select count(*)::int as moved from moved`.execute(db);
  return rows[0]?.moved ?? 0;
}
