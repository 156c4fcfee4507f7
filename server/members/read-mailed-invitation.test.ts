import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { mailedToken, signUp, signUpUnverified, type TestPerson } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/invitations';

async function invite(owner: TestPerson, email = `${randomUUID()}@example.com`) {
  const { body } = await service.call('POST', path, { as: owner.token, body: { email, role: 'member' } });
  return { id: body.invitation.id as string, email, token: mailedToken(service, email, 'You are invited') };
}
const read = (token: unknown) => service.call('POST', `${path}/read`, { body: { token } });

test('200 without a session: who invites which address to what, and whether it has signed up', async () => {
  const owner = await signUp(service, 'Noor');
  const { id, email, token } = await invite(owner);
  const { status, body } = await read(token);
  expect([status, body]).toEqual([
    200,
    {
      invitation: {
        id,
        account_name: 'Noor',
        created_by: { kind: 'user', id: expect.stringMatching(/^user_/), name: 'Noor' },
        created_at: expect.any(String),
        role: 'member',
        status: 'pending',
        expires_at: expect.any(String),
      },
      email,
      signed_up: false,
    },
  ]);
  await signUpUnverified(service, 'Guest', email);
  expect((await read(token)).body.signed_up).toBe(true);
  expect((await read(token)).body.invitation.status).toBe('pending');
});

test('404 invitation_not_found: unknown, canceled, replaced and expired', async () => {
  const owner = await signUp(service);
  expect((await read('of-nothing')).body.error.code).toBe('invitation_not_found');
  const canceled = await invite(owner);
  await service.call('DELETE', `${path}/${canceled.id}`, { as: owner.token });
  expect((await read(canceled.token)).status).toBe(404);
  const replaced = await invite(owner);
  const newer = await invite(owner, replaced.email);
  expect((await read(replaced.token)).status).toBe(404);
  expect((await read(newer.token)).status).toBe(200);
  await service.context.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', newer.email)
    .execute();
  expect((await read(newer.token)).status).toBe(404);
});

test.each([undefined, '', 5, 'x'.repeat(201)])('422 invalid_request: the token %j', async (token) => {
  expect((await read(token)).status).toBe(422);
});
