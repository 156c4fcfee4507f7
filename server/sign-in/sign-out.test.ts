import { beforeAll, expect, test } from 'vitest';
import { signIn, signUp } from '../../test/support/people.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/sign-out';
const accounts = '/api/auth/accounts';

test('200: the session ends as bearer and as cookie, in every process, and no other session does', async () => {
  const person = await signUp(service);
  const elsewhere = await signIn(service, person.email);
  const second = await createService({}, { databaseUrl: service.databaseUrl });
  expect((await second.call('GET', accounts, { as: person.token })).status).toBe(200);

  const answer = await service.call('POST', path, { as: person });
  expect([answer.status, answer.body]).toEqual([200, { done: true }]);
  expect(answer.headers.getSetCookie()).toEqual(['atelier.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  for (const process of [service, second])
    for (const as of [person.token, person]) expect((await process.call('GET', accounts, { as })).status).toBe(401);
  expect((await second.call('GET', accounts, { as: elsewhere.token })).status).toBe(200);
  await second.close();
});

test('401 unauthenticated: signed out already', async () => {
  const { token } = await signUp(service);
  await service.call('POST', path, { as: token });
  expect((await service.call('POST', path, { as: token })).status).toBe(401);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const { cookie } = await signUp(service);
  const answer = await service.call('POST', path, { as: { cookie }, headers: { 'sec-fetch-site': 'cross-site' } });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
});
