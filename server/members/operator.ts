import type { Db } from '../db/pool.ts';

export async function findOperators(db: Db) {
  const rows = await db
    .selectFrom('auth.user')
    .select(['email', 'name', 'created_at'])
    .where('operator', '=', true)
    .orderBy('created_at')
    .execute();
  return rows.map(({ email, name, created_at }) => ({ email, name, since: created_at.toISOString() }));
}
