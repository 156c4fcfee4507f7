import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Encryption } from '../lib/encryption.ts';
import { secretPurpose } from './webhook-secret.ts';

type Row = { account_id: string; endpoint_id: string; id: string; ciphertext: string };

const atOnce = 100;

export async function countSecretsByKey(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; rows: number }>`
    select split_part(ciphertext, '.', 1) as key, count(*)::int as rows from webhook_secrets group by 1`.execute(db);
  return new Map(rows.map(({ key, rows: count }) => [key, count]));
}

/**
 * Encrypts secrets of older keys with the newest one. A row that changed since it was read stays as it is.
 */
export async function reencryptSecrets(db: Db, encryption: Encryption, stopped: AbortSignal): Promise<void> {
  const older = encryption.keyIds.slice(1);
  for (;;) {
    const { rows } = await sql<Row>`
      select account_id, endpoint_id, id, ciphertext from webhook_secrets
      where split_part(ciphertext, '.', 1) = any(${older}) limit ${atOnce}`.execute(db);
    if (rows.length === 0 || stopped.aborted) return;
    for (const { account_id, endpoint_id, id, ciphertext } of rows)
      await db
        .updateTable('webhook_secrets')
        .set({ ciphertext: encryption.encrypt(secretPurpose, encryption.decrypt(secretPurpose, ciphertext)) })
        .where('account_id', '=', account_id)
        .where('endpoint_id', '=', endpoint_id)
        .where('id', '=', id)
        .where('ciphertext', '=', ciphertext)
        .execute();
  }
}
