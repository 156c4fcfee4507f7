import type { Db } from '../db/pool.ts';
import { type Finding, ok } from './run-checks.ts';

/** How many imported people have not joined. Nothing where nobody was imported. */
export async function checkImportedPeople(db: Db): Promise<Finding[]> {
  const { people } = await db
    .selectFrom('imported_people')
    .select(({ fn }) => fn.countAll<string>().as('people'))
    .executeTakeFirstOrThrow();
  return people === '0' ? [] : [ok(`Imported people who have not joined yet: ${people}. The desk invites them.`)];
}
