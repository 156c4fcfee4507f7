import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { addMember, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const rename = (as: string, name: string) => service.call('PATCH', '/api/auth/account', { as, body: { name } });

test('200: by an admin; everybody sees the new name', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  expect((await rename(admin.token, 'New name')).body.account).toMatchObject({
    name: 'New name',
    role: 'admin',
    active: true,
  });
  expect((await service.call('GET', '/api/v1/me', { as: owner.token })).body.account.name).toBe('New name');
});

test('403 role_required: a member', async () => {
  const member = await addMember(service, await signUp(service), 'member');
  expect((await rename(member.token, 'Mine')).body.error.code).toBe('role_required');
});

test('422 invalid_request: an empty name', async () => {
  expect((await rename((await signUp(service)).token, '')).status).toBe(422);
});
