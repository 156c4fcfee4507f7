import { beforeAll, expect, test } from 'vitest';
import { newId, showId } from '../lib/id.ts';
import { addMember, makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/v1/api-keys';
const idOf = async (owner: TestPerson): Promise<string> =>
  (await service.call('GET', path, { as: owner.token })).body.api_keys[0].id;

test('200: revoked at once in every process, and the same answer again', async () => {
  const owner = await signUp(service);
  const key = await makeKey(service, owner);
  const second = await createService({}, { databaseUrl: service.databaseUrl });
  const works = async () => (await second.call('GET', '/api/auth/members', { as: key })).status;
  expect(await works()).toBe(200);

  const first = await service.call('DELETE', `${path}/${await idOf(owner)}`, { as: owner });
  expect(await works()).toBe(401);
  expect(first.status).toBe(200);
  expect(first.body.api_key).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
  const again = await service.call('DELETE', `${path}/${first.body.api_key.id}`, { as: owner });
  expect([again.status, again.body.api_key.revoked_at]).toEqual([200, first.body.api_key.revoked_at]);
  expect(JSON.stringify(again.body)).not.toContain(key.split('_')[2]);
  await second.close();
});

test('200: no request that begins after the answer is let in, however many are under way in two processes', async () => {
  const owner = await signUp(service);
  const key = await makeKey(service, owner);
  const second = await createService({}, { databaseUrl: service.databaseUrl });
  const id = await idOf(owner);
  let revoked = false;
  const letIn: boolean[] = [];
  const refused: boolean[] = [];
  const ask = async (one: Service) => {
    for (let after = 0; after < 5;) {
      const late = revoked;
      const { status } = await one.call('GET', '/api/auth/members', { as: key });
      (status === 200 ? letIn : refused).push(late);
      if (late) after++;
    }
  };
  const asking = [service, second].flatMap((one) => Array.from({ length: 10 }, () => ask(one)));
  await expect.poll(() => letIn.length).toBeGreaterThan(20);
  expect((await service.call('DELETE', `${path}/${id}`, { as: owner })).status).toBe(200);
  revoked = true;
  await Promise.all(asking);
  expect(letIn).not.toContain(true);
  expect(refused.filter((late) => late)).toHaveLength(100);
  await second.close();
});

test('403 role_required: member session, before any look-up of the id', async () => {
  const owner = await signUp(service);
  await makeKey(service, owner);
  const member = await addMember(service, owner, 'member');
  for (const id of [await idOf(owner), showId('key', newId())]) {
    const { status, body } = await service.call('DELETE', `${path}/${id}`, { as: member.token });
    expect([status, body.error.code]).toEqual([403, 'role_required']);
  }
});

test('403 csrf_token_invalid: a cookie without the token', async () => {
  const owner = await signUp(service);
  await makeKey(service, owner);
  expect((await service.call('DELETE', `${path}/${await idOf(owner)}`, { as: { cookie: owner.cookie } })).status).toBe(
    403,
  );
});
