import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../../test/support/harness.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import { makeOperator, signUpUnverified, type TestPerson } from '../../../test/support/people.ts';
import { showId } from '../../lib/id.ts';

let service: Service;
let owner: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  owner = await makeOperator(service);
});

const read = (token: unknown) => service.call('POST', '/api/auth/operator-invitations/read', { body: { token } });

test('200 without a session: who invites which address to what, and whether it has signed up', async () => {
  const { email, token } = await inviteOperator(service, owner, { role: 'reviewer' });
  const { status, body } = await read(token);
  expect([status, body]).toEqual([
    200,
    {
      operator_invitation: {
        role: 'reviewer',
        created_by: { kind: 'user', id: showId('user', owner.userId), name: 'Operator' },
        expires_at: expect.any(String),
      },
      email,
      signed_up: false,
    },
  ]);
  await signUpUnverified(service, 'Guest', email);
  expect((await read(token)).body.signed_up).toBe(true);
});

test('404 invitation_not_found: unknown, canceled and expired look alike', async () => {
  const canceled = await inviteOperator(service, owner);
  await service.call('DELETE', `/api/operator/v1/operator-invitations/${canceled.id}`, { as: owner.token });
  const expired = await inviteOperator(service, owner);
  await service.context.db
    .updateTable('operator_invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', expired.email)
    .execute();
  const answers = [await read('of-nothing'), await read(canceled.token), await read(expired.token)];
  const errors = answers.map(({ status, body }) => ({ status, ...body.error, request_id: '' }));
  expect(errors).toEqual([errors[0], errors[0], errors[0]]);
  expect(errors[0]).toMatchObject({ status: 404, code: 'invitation_not_found' });
});

test.each([undefined, '', 5, 'x'.repeat(201)])('422 invalid_request: the token %j', async (token) => {
  expect((await read(token)).status).toBe(422);
});
