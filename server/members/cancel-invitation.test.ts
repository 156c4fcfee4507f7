import { beforeAll, expect, test } from 'vitest';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/invitations';
const invite = async (by: TestPerson, email: string): Promise<string> =>
  (await service.call('POST', path, { as: by.token, body: { email, role: 'member' } })).body.invitation.id;

test('200: canceled, and the same again', async () => {
  const owner = await signUp(service);
  const id = await invite(owner, 'a@example.com');
  for (const _ of [1, 2]) {
    const { status, body } = await service.call('DELETE', `${path}/${id}`, { as: owner.token });
    expect([status, body.invitation.status]).toEqual([200, 'canceled']);
  }
});

test('422 invalid_request: accepted already', async () => {
  const owner = await signUp(service);
  const id = await invite(owner, 'a@example.com');
  await service.context.db.updateTable('invitations').set({ status: 'accepted' }).execute();
  const { status, body } = await service.call('DELETE', `${path}/${id}`, { as: owner.token });
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});
