import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, makeKey, signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const path = '/api/v1/api-keys';

test('200: newest first, the keys of the account only, without hash and plaintext', async () => {
  const owner = await signUp(service);
  await makeKey(service, await signUp(service));
  const secrets = [];
  for (const name of ['first', 'second', 'third']) {
    const { body } = await service.call('POST', path, { as: owner.token, body: { name } });
    secrets.push(body.plaintext_key.split('_')[2]);
  }
  const { status, body } = await service.call('GET', path, { as: owner });
  expect(status).toBe(200);
  expect(body.api_keys.map((key: { name: string }) => key.name)).toEqual(['third', 'second', 'first']);
  for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
});

test('200: an expired key says so', async () => {
  const owner = await signUp(service);
  await makeKey(service, owner);
  const past = { expires_at: new Date(Date.now() - 1000) };
  await service.context.db.updateTable('api_keys').set(past).where('account_id', '=', owner.accountId).execute();
  expect((await service.call('GET', path, { as: owner.token })).body.api_keys).toMatchObject([{ status: 'expired' }]);
});

test('403 role_required: member session, or an API key', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  for (const as of [member.token, await makeKey(service, owner)]) {
    const { status, body } = await service.call('GET', path, { as });
    expect([status, body.error.code]).toEqual([403, 'role_required']);
  }
});
