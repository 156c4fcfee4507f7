import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { ensureInstallation } from '../files/installation.ts';
import { endCopiedAccess } from './end-copied-access.ts';

/** Runs once the rows are restored. A new id makes the storage of the original foreign to the copy. */
export const becomeCopy = (db: Db): Promise<void> =>
  transact(db, async (trx) => {
    await ensureInstallation(trx);
    await sql`
      update installation set outbound_off = 'copy', id = uuidv7(), nonce = gen_random_uuid(), previous_nonce = null`.execute(
      trx,
    );
    await endCopiedAccess(trx);
    await dropWaiting(trx);
  });

/** From its next start without OUTBOUND=off the installation sends again. Returns false if it is no copy. */
export async function endCopy(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`update installation set outbound_off = 'setting' where outbound_off = 'copy'`.execute(db);
  return numAffectedRows > 0n;
}

/** Whether the database says that it is a copy. A process with OUTBOUND=off records it at its start. */
export async function isMarkedCopy(db: Db): Promise<boolean> {
  const { rows } = await sql`select from installation where outbound_off is not null`.execute(db);
  return rows.length > 0;
}

/**
 * At the start of a process: whether it reaches nothing outside. The first one without OUTBOUND=off drops
 * what the last one with it left waiting, so that nothing of that time goes out later.
 */
export async function settleCopy(db: Db, { outboundOff }: { outboundOff: boolean }): Promise<boolean> {
  if (!outboundOff && !(await isMarkedCopy(db))) return false;
  return transact(db, async (trx) => {
    await ensureInstallation(trx);
    const { rows } = await sql<{ before: string | null }>`
      select outbound_off as before from installation for update`.execute(trx);
    if (rows[0]?.before === 'copy') return true;
    if (!outboundOff) await dropWaiting(trx);
    await sql`update installation set outbound_off = ${outboundOff ? 'setting' : null}`.execute(trx);
    return outboundOff;
  });
}

/** Mails, mails of the day, deliveries, and events that no endpoint has a delivery of yet. */
async function dropWaiting(trx: Trx): Promise<void> {
  await sql`delete from mails`.execute(trx);
  await sql`update notifications set daily = false where daily`.execute(trx);
  await sql`update webhook_deliveries set outcome = 'dead', done_at = now() where done_at is null`.execute(trx);
  await sql`
    update webhook_endpoints e set cursor = c.last_event
    from account_counters c where c.account_id = e.account_id and c.last_event > e.cursor`.execute(trx);
}
