import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../../test/support/harness.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import { makeOperator } from '../../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/operator/v1/operator-invitations';

test('200: the open invitations of all owners, newest first, without those that have expired', async () => {
  const [owner, other] = [await makeOperator(service), await makeOperator(service)];
  const expired = await inviteOperator(service, owner);
  await service.context.db
    .updateTable('operator_invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', expired.email)
    .execute();
  const ids = [(await inviteOperator(service, owner)).id, (await inviteOperator(service, other)).id];
  const { status, body } = await service.call('GET', path, { as: owner.token });
  const listed = body.operator_invitations.map(({ id }: { id: string }) => id);
  expect([status, listed.slice(0, 2)]).toEqual([200, ids.toReversed()]);
  expect(listed).not.toContain(expired.id);
});

test('403 role_required: a lead', async () => {
  const { token } = await makeOperator(service, 'lead');
  const { status, body } = await service.call('GET', path, { as: token });
  expect([status, body.error.code]).toEqual([403, 'role_required']);
});
