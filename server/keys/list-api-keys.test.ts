import { showId } from '../lib/id.ts';
import { beforeAll, expect, test } from 'vitest';
import { addMember, makeKey, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

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

test('200: page by page, each key once, with who made it', async () => {
  const owner = await signUp(service, 'Olga');
  const made = [];
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    made.unshift((await service.call('POST', path, { as: owner.token, body: { name } })).body.api_key.id);
  const seen = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `?limit=2${cursor ? `&cursor=${cursor}` : ''}`;
    const { body } = await service.call('GET', path + query, { as: owner.token });
    expect(body.api_keys.length).toBeLessThanOrEqual(2);
    seen.push(...body.api_keys);
    cursor = body.next_cursor;
  }
  expect(seen.map(({ id }) => id)).toEqual(made);
  expect(seen[0].created_by).toEqual({ kind: 'user', id: showId('user', owner.userId), name: 'Olga' });
});

test('400 invalid_request: the cursor of another account', async () => {
  const [owner, other] = [await signUp(service), await signUp(service)];
  for (const _ of [1, 2]) await makeKey(service, owner);
  const { next_cursor } = (await service.call('GET', `${path}?limit=1`, { as: owner.token })).body;
  expect((await service.call('GET', `${path}?cursor=${next_cursor}`, { as: other.token })).status).toBe(400);
});

test('200: an expired key says so', async () => {
  const owner = await signUp(service);
  await makeKey(service, owner);
  const past = { expires_at: new Date(Date.now() - 1000) };
  await service.context.db.updateTable('api_keys').set(past).where('account_id', '=', owner.accountId).execute();
  expect((await service.call('GET', path, { as: owner.token })).body.api_keys).toMatchObject([{ status: 'expired' }]);
});

test('403 role_required: member session; credential_not_accepted: an API key', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  const refused = [
    [member.token, 'role_required'],
    [await makeKey(service, owner), 'credential_not_accepted'],
  ] as const;
  for (const [as, code] of refused) {
    const { status, body } = await service.call('GET', path, { as });
    expect([status, body.error.code]).toEqual([403, code]);
  }
});
