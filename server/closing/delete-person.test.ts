import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { untilBlocked } from '../../test/support/locks.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { endReplacedCheckouts } from '../billing/end-replaced-checkouts.ts';
import { verifyPrices } from '../billing/verify-prices.ts';
import { showId } from '../lib/id.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { newFile, openTestStorage, presign, put, someBytes, storageKinds } from '../../test/support/files.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { grant, pay } from '../../test/support/plans.ts';
import { addMember, endPlans, goodPassword, makeKey, makeOperator, signUp } from '../../test/support/people.ts';

let service: Service;
// Of its own: it looks for the person's name in every table.
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
  await db.insertInto('members').values(row).execute();
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
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db);
  for (const { table } of rows) {
    const found = await sql`select from ${sql.raw(table)} t where to_jsonb(t)::text ~* 'ada.to.go|Lovelace'`.execute(
      db,
    );
    expect([table, found.rows.length]).toEqual([table, 0]);
  }
  await signUp(service, 'Somebody else', ada.email); // the address is free again
});

test.each(storageKinds)('200: the bytes of their uploads are gone at once, on the storage %s', async (kind) => {
  const storage = await openTestStorage(kind);
  const other = await createService(storage.env);
  const ada = await signUp(other);
  await newFile(other, ada.token, someBytes());
  const { body: waiting } = await presign(other, ada.token, someBytes());
  await put(other, waiting.upload, someBytes());
  expect(await storage.keys()).toHaveLength(2);
  expect(
    (await other.call('POST', '/api/auth/delete', { as: ada.token, body: { password: goodPassword } })).status,
  ).toBe(200);
  expect(await storage.keys()).toEqual([]);
  await other.close();
  await storage.close();
});

test('200: with another owner the account goes on, with its jobs', async () => {
  const { person: owner } = await newCustomer(service, 'studio');
  const heir = await addMember(service, owner, 'owner');
  expect((await remove(owner.token)).status).toBe(200);
  const { members } = (await service.call('GET', '/api/auth/members', { as: heir.token })).body;
  expect(members).toMatchObject([{ role: 'owner' }]);
});

test('200: a checkout that was begun can be paid no more', async () => {
  const ada = await signUp(service);
  await verifyPrices(service.context);
  const { body } = await service.call('POST', '/api/checkout/tier', { as: ada.token, body: { plan_code: 'solo' } });
  expect((await remove(ada.token)).status).toBe(200);
  const ended = vi.spyOn(service.context.provider, 'endCheckout');
  await endReplacedCheckouts(service.context, new AbortController().signal);
  expect(ended).toHaveBeenCalledExactlyOnceWith(body.checkout.id);
  expect((await pay(service, body.checkout.url)).status).toBe(404);
});

test('200: with a plan that has ended', async () => {
  const ada = await signUp(service);
  await grant(service, ada, 'solo');
  expect((await remove(ada.token)).status).toBe(422);
  await endPlans(service, ada);
  expect((await remove(ada.token)).status).toBe(200);
});

test('200: a key that is made or rotated at the same moment does not outlive its maker', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await signUp(service);
    const admin = await addMember(service, owner, 'admin');
    const path = '/api/v1/api-keys';
    const { body: old } = await service.call('POST', path, { as: admin.token, body: { name: 'old' } });
    const [removed] = await Promise.all([
      remove(admin.token),
      service.call('POST', `${path}/${old.api_key.id}/rotate`, { as: admin.token, body: {} }),
      service.call('POST', path, { as: admin.token, body: { name: 'late' } }),
    ]);
    expect(removed.status).toBe(200);
    const { api_keys } = (await service.call('GET', path, { as: owner.token })).body;
    expect(api_keys.filter(({ status }: { status: string }) => status === 'active')).toEqual([]);
  }
});

test('422 invalid_request: a plan that is granted at the same moment', async () => {
  const ada = await signUp(service);
  const asked = await service.context.db.transaction().execute(async (trx) => {
    const counters = trx.selectFrom('account_counters').select('account_id').where('account_id', '=', ada.accountId);
    await counters.forNoKeyUpdate().execute(); // as each event of the provider does first
    const removal = remove(ada.token);
    await untilBlocked(service.context.db);
    const subscription = `sub_${ada.accountId}`;
    await trx.insertInto('subscriptions').values({ id: subscription, account_id: ada.accountId }).execute();
    const plan = {
      code: 'solo',
      name: 'Solo',
      access_kind: 'human',
      unit: 'job',
      quota: 5,
      concurrency_limit: 2,
    } as const;
    const event = { status: 'active', event_created_at: new Date(), event_rank: 0, event_receipt: 1 } as const;
    await trx
      .insertInto('entitlements')
      .values({ account_id: ada.accountId, subscription, ...plan, ...event })
      .execute();
    return { removal };
  });
  expect((await asked.removal).body.error.message).toContain('which has jobs or a plan');
});

test('403 second_factor_required: without a code, where there is a second factor', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await remove(token)).body.error.code).toBe('second_factor_required');
  await service.context.db.deleteFrom('mail_tokens').where('user_id', '=', ada.userId).execute();
  expect((await remove(token, { code: phone() })).status).toBe(200);
});

test('422 invalid_request: while the second factor that was switched on can be undone', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  const { status, body } = await remove(token, { code: phone() });
  expect([status, body.error.message]).toEqual([422, expect.stringContaining('can be undone until')]);
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
