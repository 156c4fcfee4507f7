import { beforeAll, expect, test } from 'vitest';
import { newSession, signUp, type TestPerson } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { csrfToken } from './csrf.ts';
import { createSigner } from '../lib/signer.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

let ada: TestPerson;
beforeAll(async () => void (ada = await signUp(service)));

const create = (as: { cookie: string; csrf?: string } | string, headers = {}) =>
  service.call('POST', '/api/v1/api-keys', { as, body: { name: 'by browser' }, headers });

test('201: a cookie with the token of its session', async () => {
  expect((await create(ada)).status).toBe(201);
});

test('201: a bearer needs no CSRF token, even with a cookie', async () => {
  expect((await create(ada.token, { cookie: ada.cookie })).status).toBe(201);
});

test('403 csrf_token_invalid: no token, an empty one, or junk', async () => {
  for (const csrf of [undefined, '', 'junk', `${ada.csrf}=`, `${ada.csrf}, ${ada.csrf}`]) {
    const { status, body } = await create(csrf === undefined ? { cookie: ada.cookie } : { cookie: ada.cookie, csrf });
    expect([status, body.error.code]).toEqual([403, 'csrf_token_invalid']);
  }
});

test('403 csrf_token_invalid: token of another session, also of the same person', async () => {
  const [other, second] = [await signUp(service), await newSession(service, ada)];
  for (const { csrf } of [other, second]) expect((await create({ cookie: ada.cookie, csrf })).status).toBe(403);
});

test('403 csrf_token_invalid: token signed with a foreign secret key', async () => {
  const csrf = csrfToken(createSigner(['x'.repeat(32)]), ada.sessionId);
  expect((await create({ cookie: ada.cookie, csrf })).status).toBe(403);
});

test('403 csrf_token_invalid: a refused request changes nothing', async () => {
  const count = async () => (await service.call('GET', '/api/v1/api-keys', { as: ada.token })).body.api_keys.length;
  const before = await count();
  await create({ cookie: ada.cookie });
  expect(await count()).toBe(before);
});

test('other mutations by cookie: same origin', async () => {
  const send = async (headers: Record<string, string>) =>
    (await service.call('POST', '/api/auth/send-verification-email', { as: { cookie: ada.cookie }, headers })).status;
  expect(await send({})).toBe(200);
  expect(await send({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await send({ 'sec-fetch-site': 'none' })).toBe(200);
  expect(await send({ origin: service.url })).toBe(403); // the requested Host proves nothing
  expect(await send({ origin: 'http://localhost:3000.evil.example' })).toBe(403);
  expect(await send({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' })).toBe(403);
});

test('403 csrf_token_invalid: a page at another address is told the right one', async () => {
  const headers = { origin: 'http://192.168.1.2:3000' };
  const body = { email: ada.email, password: ada.password };
  const refused = await service.call('POST', '/api/auth/sign-in/email', { body, headers });
  expect([refused.status, refused.body.error]).toMatchObject([
    403,
    {
      code: 'csrf_token_invalid',
      action: 'Open this page at http://localhost:3000.',
      details: [{ location: 'origin', message: 'must be http://localhost:3000' }],
    },
  ]);
});

test('403 csrf_token_invalid: a cookie with neither Origin nor Sec-Fetch-Site', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/auth/send-verification-email`, { method: 'POST', headers });
  const refused = await send({ cookie: ada.cookie });
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
    403,
    'csrf_token_invalid',
  ]);
  expect((await send({ authorization: `Bearer ${ada.token}` })).status).toBe(200);
  expect((await send({ cookie: ada.cookie, origin: 'http://localhost:3000' })).status).toBe(200);
});

test('200: on every route a cookie with the token of its session, whatever the origin', async () => {
  const send = (path: string, csrf: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'x-service-csrf-token': csrf, ...headers },
    });
  const mail = '/api/auth/send-verification-email';
  expect((await send(mail, ada.csrf)).status).toBe(200);
  expect((await send(mail, ada.csrf, { origin: 'https://other.example' })).status).toBe(200);
  expect((await send(mail, (await newSession(service, ada)).csrf)).status).toBe(403);
  // Answered to visitors, too: past the check of the origin, its body is wrong.
  expect((await send('/api/auth/verify-email', ada.csrf, { origin: 'https://other.example' })).status).toBe(422);
  expect((await send('/api/auth/verify-email', 'junk', { origin: 'https://other.example' })).status).toBe(403);
});

test('415 unsupported_media_type: what an HTML form can send, even with a token', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const request = { as: ada, raw: '{"name":"form"}', headers: { 'content-type': type } };
    expect((await service.call('POST', '/api/v1/api-keys', request)).status).toBe(415);
  }
});
