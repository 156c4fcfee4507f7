import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/accounts';
const statusOf = async (headers: Record<string, string>) => (await service.call('GET', path, { headers })).status;
let ada: TestPerson;
beforeAll(async () => void (ada = await signUp(service)));

/** fetch joins repeated headers; this sends them as they are. */
async function raw(lines: string[], method = 'GET'): Promise<number> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return Number(text.slice(9, 12));
}

test('200: the token of sign-in as bearer, however the scheme is spelt', async () => {
  expect(await statusOf({ authorization: `bearer  ${ada.token}` })).toBe(200);
  expect(await statusOf({ authorization: `Bearer ${encodeURIComponent(ada.token)}` })).toBe(200);
});

test('401 unauthenticated: the raw token of the database, or a forged signature', async () => {
  const row = await service.context.db
    .selectFrom('sessions')
    .select('token')
    .where('id', '=', ada.sessionId)
    .executeTakeFirstOrThrow();
  for (const bearer of [
    row.token,
    `${row.token}.`,
    `${row.token}.${'A'.repeat(43)}=`,
    `${ada.token}x`,
    ada.sessionId,
    '%',
    '%E0%A4%A',
  ])
    expect(await statusOf({ authorization: `Bearer ${bearer}` })).toBe(401);
  for (const value of [row.token, `${row.token}.AAAA`, '', '%', '""'])
    expect(await statusOf({ cookie: `atelier.session_token=${value}` })).toBe(401);
});

test.each(['Bearer forged.signature', 'Bearer junk', 'Bearer', 'Basic YTpi', 'Bearer a b', ''])(
  '401 unauthenticated: "%s" beside a good cookie does not fall back to it',
  async (authorization) => expect(await raw([`Authorization: ${authorization}`, `Cookie: ${ada.cookie}`])).toBe(401),
);

test('200: a good bearer counts alone, so a bad cookie or a foreign origin beside it does no harm', async () => {
  const headers = {
    authorization: `Bearer ${ada.token}`,
    cookie: 'atelier.session_token=junk',
    origin: 'https://evil.example',
  };
  expect((await service.call('POST', '/api/auth/send-verification-email', { headers })).status).toBe(200);
});

test('401 unauthenticated: two Authorization headers, or two session cookies', async () => {
  const good = `Authorization: Bearer ${ada.token}`;
  expect(await raw([good])).toBe(200);
  expect(await raw([good, good])).toBe(401);
  expect(await raw([good, 'authorization: Bearer junk'])).toBe(401);
  expect(await raw([`Cookie: ${ada.cookie}`, `Cookie: ${ada.cookie}`])).toBe(401);
  expect(await raw([`Cookie: theme=dark; ${ada.cookie};  ${ada.cookie}`])).toBe(401);
  expect(await raw([`Cookie: theme=dark; ${ada.cookie}`])).toBe(200);
});

test('401 unauthenticated: an expired session', async () => {
  const person = await signUp(service);
  const past = { expires_at: new Date(Date.now() - 1000) };
  await service.context.db.updateTable('sessions').set(past).where('id', '=', person.sessionId).execute();
  expect(await statusOf({ authorization: `Bearer ${person.token}` })).toBe(401);
  expect(await statusOf({ cookie: person.cookie })).toBe(401);
});
