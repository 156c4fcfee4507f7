import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { goodPassword, signUp } from '../../test/support/people.ts';
import { deviceOf } from './device.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: the person’s own sessions, last used first, with what they are and which one asks', async () => {
  const ada = await signUp(service);
  await signUp(service);
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const body = { email: ada.email, password: goodPassword };
  const { body: second } = await service.call('POST', '/api/auth/sign-in/email', { body, headers });
  const { sessions } = (await service.call('GET', '/api/auth/sessions', { as: second.token })).body;
  expect(sessions).toMatchObject([
    { current: true, device: 'Firefox on Linux', address: '127.0.0.1' },
    { current: false, address: '127.0.0.1' },
  ]);
});

test('200: a session that was idle for 14 days has ended, and one in use says so within the hour', async () => {
  const ada = await signUp(service);
  const { db } = service.context;
  const lastUsed = (ago: string) =>
    db
      .updateTable('sessions')
      .set({ last_used_at: sql<Date>`now() - ${ago}::interval` })
      .where('id', '=', ada.sessionId)
      .execute();
  const read = () => service.call('GET', '/api/auth/sessions', { as: ada.token });
  await lastUsed('2 hours');
  await read();
  const [session] = (await read()).body.sessions;
  expect(Date.now() - Date.parse(session.last_used_at)).toBeLessThan(60_000);
  await lastUsed('50 minutes');
  expect(Date.now() - Date.parse((await read()).body.sessions[0].last_used_at)).toBeGreaterThan(49 * 60_000);
  await lastUsed('14 days 1 minute');
  expect((await read()).status).toBe(401);
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['curl/8.14.1', 'curl'],
  ['<script>', 'Another program'],
  [null, 'Another program'],
])('%s is %s', (agent, device) => expect(deviceOf(agent)).toBe(device));

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const ada = await signUp(service);
  const { status, body } = await service.call('GET', `/api/auth/sessions?${query}`, { as: ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
