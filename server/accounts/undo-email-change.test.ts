import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { goodPassword, mailedToken, signIn, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const undo = (token: string) => service.call('POST', '/api/auth/change-email/undo', { body: { token } });
async function changeTo(as: string, email: string): Promise<void> {
  await service.call('POST', '/api/auth/change-email', { as, body: { email, password: goodPassword } });
  const body = { token: mailedToken(service, email, 'Confirm') };
  expect((await service.call('POST', '/api/auth/change-email/confirm', { as, body })).status).toBe(200);
}
const undoToken = (email: string) =>
  /undo=(\S+)/.exec(
    service.emails.findLast(({ to, subject }) => to === email && subject.includes('changed'))?.text ?? '',
  )?.[1] ?? '';

test('200: the old address is back, and all sessions end', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'thief@example.com');
  expect((await undo(undoToken(ada.email))).body).toEqual({ done: true });
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).status).toBe(401);
  expect(await signIn(service, ada.email)).toMatchObject({ userId: ada.userId });
  const body = { email: 'thief@example.com', password: goodPassword };
  expect((await service.call('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
});

test('200: meanwhile nobody else can take the old address', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'elsewhere@example.com');
  const body = { name: 'Eve', email: ada.email, password: goodPassword };
  expect((await service.call('POST', '/api/auth/sign-up/email', { body })).status).toBe(422);
  const eve = await signUp(service);
  const wanted = { as: eve.token, body: { email: ada.email, password: goodPassword } };
  expect((await service.call('POST', '/api/auth/change-email', wanted)).status).toBe(422);
  expect((await undo(undoToken(ada.email))).status).toBe(200);
});

test('422 invalid_request: twice, after a day, and a token that never was', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'once@example.com');
  const token = undoToken(ada.email);
  expect((await undo('x'.repeat(43))).status).toBe(422);
  expect((await undo(token)).status).toBe(200);
  expect((await undo(token)).status).toBe(422);
  const bob = await signUp(service);
  await changeTo(bob.token, 'tomorrow@example.com');
  await service.context.db.updateTable('auth.mail_token').set({ expires_at: new Date() }).execute();
  expect((await undo(undoToken(bob.email))).status).toBe(422);
});
