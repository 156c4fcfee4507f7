import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Auth } from './auth.ts';

const atOnce = 100;
const keyOf = (column: 'secret' | 'backup_codes') => sql`substring(${sql.ref(column)} from '^\\$ba\\$\\d+\\$')`;

/** A row whose secret and recovery codes have different keys counts for both. */
export async function countSecondFactorsByKey(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; rows: number }>`
    select key, count(*)::int as rows from (
      select id, ${keyOf('secret')} as key from two_factors
      union select id, ${keyOf('backup_codes')} from two_factors) encrypted
    group by 1`.execute(db);
  return new Map(rows.map(({ key, rows: count }) => [key, count]));
}

/** A row that changed since it was read is read again. */
export async function reencryptSecondFactors(db: Db, auth: Auth, stopped: AbortSignal): Promise<void> {
  const older = auth.keyIds.slice(1);
  for (;;) {
    const { rows } = await sql<{ id: string; secret: string; backup_codes: string }>`
      select id, secret, backup_codes from two_factors
      where ${keyOf('secret')} = any(${older}) or ${keyOf('backup_codes')} = any(${older}) limit ${atOnce}`.execute(db);
    if (rows.length === 0 || stopped.aborted) return;
    for (const { id, secret, backup_codes } of rows)
      await db
        .updateTable('two_factors')
        .set({ secret: await auth.reencrypt(secret), backup_codes: await auth.reencrypt(backup_codes) })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .where('backup_codes', '=', backup_codes)
        .execute();
  }
}
