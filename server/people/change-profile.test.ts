import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const patch = (as: string, body: object) => service.call('PATCH', '/api/auth/profile', { as, body });
const change = (as: string, name: string) => patch(as, { name });
const session = async (as: string) => (await service.call('GET', '/api/auth/session', { as })).body;

test('200: the new name, also before the address is verified', async () => {
  const ada = await signUpUnverified(service, 'Ada');
  expect((await change(ada.token, 'Ada Lovelace')).body.user.name).toBe('Ada Lovelace');
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).body.user.name).toBe('Ada Lovelace');
});

test('200: only what is sent changes, the mails about messages or the name', async () => {
  const { token } = await signUpUnverified(service, 'Ada');
  expect((await session(token)).user.mail_messages).toBe(true);
  expect((await patch(token, { mail_messages: false })).body.user).toMatchObject({ name: 'Ada', mail_messages: false });
  await change(token, 'Ada Lovelace');
  expect((await session(token)).user).toMatchObject({ name: 'Ada Lovelace', mail_messages: false });
  expect((await patch(token, {})).body.user).toMatchObject({ name: 'Ada Lovelace', mail_messages: false });
});

test('422 invalid_request: an invisible name', async () => {
  const ada = await signUpUnverified(service);
  expect((await change(ada.token, '\u3164')).status).toBe(422);
});
