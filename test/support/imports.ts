import { claimStorage } from '../../server/files/installation.ts';
import { newId, showId } from '../../server/lib/id.ts';
import { importFolder, type ImportOutcome } from '../../server/imports/import-folder.ts';
import type { Service } from './harness.ts';
import { createStudio, post, type Studio } from './jobs.ts';
import { goodPassword, mailedToken } from './people.ts';

/** A studio with a storage of its own, which an import needs to claim. */
export async function createImportingStudio(): Promise<Studio> {
  const studio = await createStudio();
  await claimStorage(studio.service.context);
  return studio;
}

export const importInto = (
  { context: { db, storage, catalog, config } }: Service,
  folder: string,
  dryRun = false,
): Promise<ImportOutcome> => importFolder({ db, storage, catalog, config }, folder, { dryRun });

/** Somebody who waits for an invitation to an account. Returns their id. */
export async function addImportedPerson({ context: { db } }: Service, accountId: string): Promise<string> {
  const id = newId();
  const address = `${id}@imported.invalid`;
  await db.insertInto('people').values({ id, name: 'Tom Reyes', email: address, email_verified: true }).execute();
  await db
    .insertInto('imported_people')
    .values({ account_id: accountId, person_id: id, email: `${id}@customer.example`, role: 'member' })
    .execute();
  return showId('user', id);
}

/** Invites all imported people of an account. One of them signs up by the mail. */
export async function joinImported({ service, operator }: Studio, accountId: string, address: string): Promise<string> {
  const path = `/api/operator/v1/accounts/${showId('acct', accountId)}/imported/invite`;
  await post(service, operator.token, path, {});
  const email = address.toLowerCase();
  const body = { name: 'Ada', email, password: goodPassword, invitation_token: mailedToken(service, email, 'You are') };
  return (await service.call('POST', '/api/auth/sign-up/email', { body })).body.token;
}
