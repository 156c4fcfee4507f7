import type { Db } from '../db/pool.ts';

export async function findOperators(db: Db) {
  const rows = await db
    .selectFrom('people')
    .select(['email', 'name', 'operator_role', 'created_at'])
    .where('operator', '=', true)
    .orderBy('created_at')
    .execute();
  return rows.map(({ email, name, operator_role: role, created_at }) => ({
    email,
    name,
    role,
    since: created_at.toISOString(),
  }));
}
