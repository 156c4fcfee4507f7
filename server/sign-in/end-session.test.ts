import { beforeAll, expect, test } from 'vitest';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';
import { showId } from '../lib/id.ts';
import { signIn, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const end = (as: string, id: string) => service.call('DELETE', `/api/auth/sessions/${id}`, { as });
const status = async (as: string) => (await service.call('GET', '/api/auth/session', { as })).status;

test('200: another session, at once and also in another process', async () => {
  const ada = await signUp(service);
  const phone = await signIn(service, ada.email);
  const other = await createService({}, { databaseUrl: service.databaseUrl });
  const { body } = await end(ada.token, showId('sess', phone.sessionId));
  expect(body.session).toMatchObject({ id: showId('sess', phone.sessionId), current: false });
  expect((await other.call('GET', '/api/auth/session', { as: phone.token })).status).toBe(401);
  expect(await status(ada.token)).toBe(200);
  await other.close();
});

test('200: the one that asks, whose cookie ends with it', async () => {
  const ada = await signUp(service);
  const answer = await end(ada.token, showId('sess', ada.sessionId));
  expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect(await status(ada.token)).toBe(401);
});

test('404 session_not_found: somebody else’s, one that has ended, and none', async () => {
  const [ada, eve] = [await signUp(service), await signUp(service)];
  expect((await end(eve.token, showId('sess', ada.sessionId))).status).toBe(404);
  expect((await end(eve.token, 'sess_nonsense')).status).toBe(404);
  expect(await status(ada.token)).toBe(200);
});
