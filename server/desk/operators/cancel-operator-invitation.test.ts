import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../../test/support/harness.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import { makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { newId, showId } from '../../lib/id.ts';

let service: Service;
let owner: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  owner = await makeOperator(service);
});

const path = '/api/operator/v1/operator-invitations';
const cancel = (id: string, as = owner.token) => service.call('DELETE', `${path}/${id}`, { as });

test('200: by another owner; the link stops working, and the audit says so', async () => {
  const { id, email, token } = await inviteOperator(service, owner);
  const colleague = await makeOperator(service);
  const { status, body } = await cancel(id, colleague.token);
  expect([status, body.operator_invitation]).toEqual([200, expect.objectContaining({ id, email })]);
  const read = await service.call('POST', '/api/auth/operator-invitations/read', { body: { token } });
  expect(read.status).toBe(404);
  const audit = await service.call('GET', `/api/operator/v1/audit?subject=${id}`, { as: owner.token });
  expect(audit.body.audit_entries[0]).toMatchObject({
    action: 'operator.invitation_canceled',
    created_by: { id: showId('user', colleague.userId) },
    details: { because: 'canceled' },
  });
});

test('403 role_required: a lead', async () => {
  const { id } = await inviteOperator(service, owner);
  expect((await cancel(id, (await makeOperator(service, 'lead')).token)).body.error.code).toBe('role_required');
});

test('404 invitation_not_found: unknown, canceled, expired', async () => {
  const { id } = await inviteOperator(service, owner);
  await cancel(id);
  const expired = await inviteOperator(service, owner);
  await service.context.db
    .updateTable('operator_invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', expired.email)
    .execute();
  for (const gone of [id, expired.id, showId('oinv', newId()), 'oinv_nonsense'])
    expect((await cancel(gone)).body.error.code).toBe('invitation_not_found');
});
