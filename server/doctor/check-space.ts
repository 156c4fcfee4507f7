import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { fail, type Finding, ok } from './finding.ts';

const [diskFull, notAllowed] = ['53100', '42501'];

/** Postgres does not say how much space is left, so this writes 4 MB into a table that ends with it. */
export async function checkSpace(db: Db): Promise<Finding> {
  try {
    await transact(db, (trx) =>
      sql`create temporary table space_of_doctor on commit drop as
        select md5(n::text) || md5((-n)::text) from generate_series(1, 40000) n`.execute(trx),
    );
    return ok('Postgres has space to write.');
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === notAllowed) return ok('The role may make no temporary tables, so writing was not tried.');
    if (code !== diskFull) throw error;
    return fail(
      `Postgres has no space: ${message}.`,
      'Free space on its disk, or make it larger. Until then writes fail.',
    );
  }
}
