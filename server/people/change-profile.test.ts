import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const patch = (as: string, body: object) => service.call('PATCH', '/api/auth/profile', { as, body });
const change = (as: string, name: string) => patch(as, { name });

test('200: the new name, also before the address is verified', async () => {
  const ada = await signUpUnverified(service, 'Ada');
  expect((await change(ada.token, 'Ada Lovelace')).body.user.name).toBe('Ada Lovelace');
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).body.user.name).toBe('Ada Lovelace');
});

test('200: nothing changes where nothing is sent', async () => {
  const { token } = await signUpUnverified(service, 'Ada');
  expect((await patch(token, {})).body.user.name).toBe('Ada');
});

test('422 invalid_request: an invisible name', async () => {
  const ada = await signUpUnverified(service);
  expect((await change(ada.token, '\u3164')).status).toBe(422);
});
