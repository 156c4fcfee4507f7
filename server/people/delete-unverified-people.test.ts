import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { view } from '../../test/support/account-views.ts';
import { choose } from '../../test/support/notifications.ts';
import {
  addMember,
  makeKey,
  makeOperator,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../test/support/people.ts';
import { deleteUnverifiedPeople } from './delete-unverified-people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

async function age({ userId }: TestPerson, verified: boolean): Promise<void> {
  const past = { created_at: sql<Date>`now() - interval '8 days'`, email_verified: verified };
  await service.context.db.updateTable('people').set(past).where('id', '=', userId).execute();
}

async function signInFromElsewhere({ userId, email, password }: TestPerson): Promise<void> {
  await sql`update people set known_networks = array['another'] where id = ${userId}`.execute(service.context.db);
  expect((await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })).status).toBe(200);
}

test('who never proved their address and holds nothing is gone after seven days, with their account', async () => {
  const { db } = service.context;
  const [gone, fresh, verified, withKey, withMember] = [
    await signUpUnverified(service, 'Gone', 'gone@example.com'),
    await signUpUnverified(service),
    await signUp(service),
    await signUp(service),
    await signUp(service),
  ];
  await makeKey(service, withKey);
  const operator = await makeOperator(service);
  await view({ service, ada: gone, key: '', operator });
  await addMember(service, withMember, 'member');
  await choose(service, gone, ['plan'], 'daily');
  await signInFromElsewhere(gone);
  await age(gone, false);
  await age(verified, true);
  await age(withKey, false);
  await age(withMember, false);
  await deleteUnverifiedPeople(db, new AbortController().signal);
  const status = async ({ token: as }: TestPerson) => (await service.call('GET', '/api/auth/accounts', { as })).status;
  expect(await status(gone)).toBe(401);
  expect((await service.call('GET', '/api/auth/session', { as: operator.token })).body.view).toBeNull();
  for (const person of [fresh, verified, withKey, withMember]) expect(await status(person)).toBe(200);
  const account = db.selectFrom('accounts').select('id').where('id', '=', gone.accountId);
  expect(await account.execute()).toEqual([]);
  await signUp(service, 'The owner of the address', gone.email);
});
