import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';
import { withRight } from './rights.ts';

const atOnce = 5_000;

/** Deletes entries that are older than the months that an operator has set. Null keeps all. */
export async function deleteOldEntries(db: Db, months: number | null, stopped: AbortSignal): Promise<void> {
  if (months === null) return;
  const isOld = sql`created_at <= now() - make_interval(months => ${months})`;
  const exists = async () => (await sql`select from audit_log where ${isOld} limit 1`.execute(db)).rows.length > 0;
  while (!stopped.aborted && (await exists()))
    await transact(db, (trx) => {
      const deleted = sql`
        delete from audit_log where id in (
          select id from audit_log where ${isOld} order by created_at limit ${atOnce})`;
      return withRight(trx, 'delete', () => deleted.execute(trx));
    });
}
