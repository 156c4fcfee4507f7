import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { lockRights } from './erase-reasons.ts';

const atOnce = 5_000;

/** Deletes entries that are older than the months that an operator has set. Null keeps all. */
export async function deleteOldEntries(db: Db, months: number | null, stopped: AbortSignal): Promise<void> {
  if (months === null) return;
  const isOld = sql`created_at <= now() - make_interval(months => ${months})`;
  const exists = async () => (await sql`select from audit_log where ${isOld} limit 1`.execute(db)).rows.length > 0;
  while (!stopped.aborted && (await exists()))
    // The service has no right to delete entries. It takes the right inside this transaction only.
    await transact(db, async (trx) => {
      await lockRights(trx);
      await sql`grant delete on audit_log to current_user`.execute(trx);
      await sql`
        delete from audit_log where id in (
          select id from audit_log where ${isOld} order by created_at limit ${atOnce})`.execute(trx);
      await sql`revoke delete on audit_log from current_user`.execute(trx);
    });
}
