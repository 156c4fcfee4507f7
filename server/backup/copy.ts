import { sql } from 'kysely';
import { createDb, type Db, otherProcesses, transact, type Trx } from '../db/pool.ts';
import { ensureInstallation } from '../files/installation.ts';
import { Refusal } from '../http/refusal.ts';
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
    await sql`delete from webhook_signatures`.execute(trx); // the provider posts to the original
    while (await dropSome(trx));
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
 * what the last one with it left waiting, so that nothing of that time goes out later. Its connection has no
 * tag: processes that start together do not take one another for ones that serve.
 */
export async function settleCopy(url: string, { outboundOff }: { outboundOff: boolean }): Promise<boolean> {
  const db = createDb(url, 1, () => {}, { patient: true });
  try {
    if (!outboundOff && !(await isMarkedCopy(db))) return false;
    for (;;) {
      const isCopy = await transact(db, (trx) => settle(trx, outboundOff));
      if (isCopy !== null) return isCopy;
    }
  } finally {
    await db.destroy();
  }
}

/** Null: there is more to drop. Each batch stays dropped, if this start ends early. */
async function settle(trx: Trx, outboundOff: boolean): Promise<boolean | null> {
  await ensureInstallation(trx);
  const { rows } = await sql<{ before: string | null }>`
    select outbound_off as before from installation for update`.execute(trx);
  const before = rows[0]?.before ?? null;
  if (before === 'copy') return true;
  if ((before !== null) === outboundOff) return outboundOff;
  await refuseOthers(trx, outboundOff);
  if (!outboundOff && (await dropSome(trx))) return null;
  await sql`update installation set outbound_off = ${outboundOff ? 'setting' : null}`.execute(trx);
  return outboundOff;
}

/** They share the outbox: what they would send would be dropped. */
async function refuseOthers(trx: Trx, outboundOff: boolean): Promise<void> {
  if ((await otherProcesses(trx)).length === 0) return;
  throw new Refusal('service_unavailable', {
    message: `Other processes serve this database ${outboundOff ? 'without' : 'with'} OUTBOUND=off.`,
    action: 'Stop every process first, or name another database in DATABASE_URL.',
  });
}

const atOnce = 2_000;

/** Mails, mails of the day, deliveries, and events that no endpoint has a delivery of yet. */
const waiting = [
  sql`delete from mails where id in (select id from mails limit ${atOnce})`,
  sql`update notifications set daily = false where id in (select id from notifications where daily limit ${atOnce})`,
  sql`
    update webhook_deliveries set outcome = 'dead', done_at = now() where (account_id, endpoint_id, id) in (
      select account_id, endpoint_id, id from webhook_deliveries where done_at is null limit ${atOnce})`,
  sql`
    update webhook_endpoints e set cursor = c.last_event
    from account_counters c where c.account_id = e.account_id and c.last_event > e.cursor`,
];

/** Returns whether there may be more. */
async function dropSome(trx: Trx): Promise<boolean> {
  let dropped = 0n;
  for (const piece of waiting) dropped += (await piece.execute(trx)).numAffectedRows ?? 0n;
  return dropped > 0n;
}
