import { newId } from '../../server/lib/id.ts';
import { importFolder, type ImportOutcome } from '../../server/imports/import-folder.ts';
import type { Service } from './harness.ts';

export const importInto = (
  { context: { db, storage, catalog, config } }: Service,
  folder: string,
  dryRun = false,
): Promise<ImportOutcome> => importFolder({ db, storage, catalog, config }, folder, { dryRun });

/** Somebody who waits for an invitation to an account. */
export async function addImportedPerson({ context: { db } }: Service, accountId: string): Promise<void> {
  const id = newId();
  const address = `${id}@imported.invalid`;
  await db.insertInto('people').values({ id, name: 'Tom Reyes', email: address, email_verified: true }).execute();
  await db
    .insertInto('imported_people')
    .values({ account_id: accountId, person_id: id, email: `${id}@customer.example`, role: 'member' })
    .execute();
}
