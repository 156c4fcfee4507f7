import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';

/**
 * Locks the keys and webhook endpoints of an account. Before its jobs and counters, because whatever changes
 * a key or an endpoint locks the counters afterwards, for the event.
 */
export async function lockAccess(trx: Trx, accountId: string): Promise<void> {
  await sql`
    select from api_keys where account_id = ${accountId} and revoked_at is null order by id for update`.execute(trx);
  await sql`select from webhook_endpoints where account_id = ${accountId} order by id for update`.execute(trx);
}
