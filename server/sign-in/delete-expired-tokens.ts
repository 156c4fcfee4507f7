import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

export async function deleteExpiredTokens(db: Db, stopped: AbortSignal): Promise<void> {
  const expired = sql`expires_at <= now() limit 1000 for update skip locked`;
  await deleteInBatches(db, sql`delete from sessions where id in (select id from sessions where ${expired})`, stopped);
  await deleteInBatches(
    db,
    sql`delete from mail_tokens where digest in (select digest from mail_tokens where ${expired})`,
    stopped,
  );
  await deleteInBatches(
    db,
    sql`delete from operator_invitations where id in (select id from operator_invitations where ${expired})`,
    stopped,
  );
  await deleteInBatches(
    db,
    sql`delete from verifications where id in (select id from verifications where ${expired})`,
    stopped,
  );
}
