import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

export async function deleteExpiredTokens(db: Db, stopped: AbortSignal): Promise<void> {
  const expired = sql`expires_at <= now() limit 1000 for update skip locked`;
  await deleteInBatches(
    db,
    sql`delete from auth.session where id in (select id from auth.session where ${expired})`,
    stopped,
  );
  await deleteInBatches(
    db,
    sql`delete from auth.mail_token where digest in (select digest from auth.mail_token where ${expired})`,
    stopped,
  );
  await deleteInBatches(
    db,
    sql`delete from auth.verification where id in (select id from auth.verification where ${expired})`,
    stopped,
  );
}
