import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { newRequestId } from '../lib/id.ts';
import { eventMessages } from './event-messages.ts';

/** Numbers that are passed over: more than an account can have lost. */
const gap = 1_000_000;

/**
 * After a restore that lost commits: their numbers may have been read, so they must not come twice. Each account passes over
 * a million, the only gap that there can be, and is told to list its jobs again. The service may run meanwhile: rows are
 * locked in the order of admission.
 */
export async function restartFeed(db: Db): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    with locked as (
      select account_id from account_counters order by account_id for no key update
    ),
    counters as (
      update account_counters c set last_event = c.last_event + ${gap + 1} from locked
      where c.account_id = locked.account_id
      returning c.account_id, c.last_event
    ),
    appended as (
      insert into events (account_id, seq, id, type, actor, message, request_id)
      select account_id, last_event, uuidv7(), 'feed.restarted', 'service', ${eventMessages['feed.restarted']},
        ${newRequestId()}
      from counters
      returning seq
    )
    select count(*)::int as accounts from appended`.execute(db);
  return rows[0]?.accounts ?? 0;
}
