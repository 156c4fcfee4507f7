import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { showId } from '../lib/id.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { addMember, goodPassword, makeKey, makeOperator, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const remove = (as: string, fields: object = {}) =>
  service.call('POST', '/api/auth/delete', { as, body: { password: goodPassword, ...fields } });

test('200: nothing tells who they were, and everything that they opened is closed', async () => {
  const ada = await signUp(service, 'Ada Lovelace', 'ada.to.go@example.com');
  const olga = await signUp(service, 'Olga');
  const key = await makeKey(service, ada);
  const { db } = service.context;
  const row = { account_id: olga.accountId, user_id: ada.userId, role: 'admin' as const };
  await db.insertInto('auth.member').values(row).execute();
  await service.call('POST', `/api/auth/accounts/${showId('acct', olga.accountId)}/switch`, { as: ada.token });
  const theirs = await makeKey(service, ada);
  const answer = await remove(ada.token);
  expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([200, expect.stringContaining('Max-Age=0')]);
  for (const as of [ada.token, key, theirs]) expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(401);
  const { members } = (await service.call('GET', '/api/auth/members', { as: olga.token })).body;
  expect(members).toHaveLength(1);
  const { api_keys } = (await service.call('GET', '/api/v1/api-keys', { as: olga.token })).body;
  expect(api_keys).toMatchObject([{ status: 'revoked', created_by: { name: 'Deleted person' } }]);
  const { rows } = await sql<{ table: string }>`
    select table_schema || '.' || table_name as table from information_schema.tables
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'`.execute(db);
  for (const { table } of rows) {
    const found = await sql`select from ${sql.raw(table)} t where to_jsonb(t)::text ~* 'ada.to.go|Lovelace'`.execute(
      db,
    );
    expect([table, found.rows.length]).toEqual([table, 0]);
  }
  await signUp(service, 'Somebody else', ada.email); // the address is free again
});

test('200: with another owner the account goes on, with its jobs', async () => {
  const { person: owner } = await newCustomer(service, 'studio');
  const heir = await addMember(service, owner, 'owner');
  expect((await remove(owner.token)).status).toBe(200);
  const { members } = (await service.call('GET', '/api/auth/members', { as: heir.token })).body;
  expect(members).toMatchObject([{ role: 'owner' }]);
});

test('403 second_factor_required: without a code, where there is a second factor', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await remove(token)).body.error.code).toBe('second_factor_required');
  expect((await remove(token, { code: phone() })).status).toBe(200);
});

test('422 invalid_request: the last owner of an account with a plan, an operator, a wrong password', async () => {
  const { person: owner } = await newCustomer(service, 'studio');
  await addMember(service, owner, 'admin');
  const refused = await remove(owner.token);
  expect([refused.status, refused.body.error.action]).toEqual([422, expect.stringContaining('owner')]);
  expect((await service.call('GET', '/api/auth/session', { as: owner.token })).status).toBe(200);
  expect((await remove((await makeOperator(service)).token)).status).toBe(422);
  const ada = await signUp(service);
  expect((await remove(ada.token, { password: 'wrong password' })).body.error.details[0].location).toBe('/password');
});
