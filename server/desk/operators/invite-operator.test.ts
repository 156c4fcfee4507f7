import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../../test/support/harness.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import { digestOf } from '../../mail/mail-token.ts';
import { makeOperator, mailedToken, signUp, type TestPerson } from '../../../test/support/people.ts';

let service: Service;
let owner: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  owner = await makeOperator(service);
});

const path = '/api/operator/v1/operator-invitations';
const invite = (body: object, as = owner.token) => service.call('POST', path, { as, body });
const open = async () => (await service.call('GET', path, { as: owner.token })).body.operator_invitations;
const auditOf = async (subject: string) =>
  (await service.call('GET', `/api/operator/v1/audit?subject=${subject}`, { as: owner.token })).body.audit_entries;

test('201: an invitation for 48 hours, and a mail that names studio, inviter and role', async () => {
  const { status, body } = await invite({
    email: 'Mira@Example.com',
    role: 'lead',
    service_families: ['design'],
    held_limit: 3,
  });
  expect(status).toBe(201);
  const { operator_invitation: made } = body;
  expect(made).toMatchObject({
    email: 'mira@example.com',
    role: 'lead',
    service_families: ['design'],
    held_limit: 3,
    created_by: { kind: 'user', name: 'Operator' },
  });
  const hours = (Date.parse(made.expires_at) - Date.now()) / 3_600_000;
  expect([hours > 47.9, hours < 48.1]).toEqual([true, true]);
  const email = service.emails.find(({ to }) => to === 'mira@example.com');
  expect(email?.subject).toBe('You are invited to work at Atelier');
  expect(email?.text).toContain('Operator invites you to become an operator of Atelier, as lead.');
  expect(email?.text).toMatch(/http:\/\/localhost:3000\/operator-invitation\?token=[\w-]{43}\n/);
  const token = mailedToken(service, 'mira@example.com', 'You are invited');
  const rows = service.context.db.selectFrom('operator_invitations').where('email', '=', 'mira@example.com');
  expect(
    (await rows.select('token_digest').executeTakeFirstOrThrow()).token_digest,
    'only the mail has the token',
  ).toEqual(digestOf(token));
  expect(await auditOf(made.id)).toMatchObject([
    { action: 'operator.invited', details: { role: 'lead', service_families: 'design', held_limit: 3 } },
  ]);
});

test('201: a new invitation replaces the open one for the same address, also when both come at once', async () => {
  const first = await inviteOperator(service, owner, { email: 'twice@example.com' });
  const again = [
    invite({ email: 'twice@example.com', role: 'lead' }),
    invite({ email: 'TWICE@example.com', role: 'owner' }),
  ];
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([201, 201]);
  expect((await open()).filter(({ email }: { email: string }) => email === 'twice@example.com')).toHaveLength(1);
  expect((await auditOf(first.id))[0]).toMatchObject({
    action: 'operator.invitation_canceled',
    details: { because: 'replaced' },
  });
  const read = await service.call('POST', '/api/auth/operator-invitations/read', { body: { token: first.token } });
  expect(read.status).toBe(404);
});

test('403 role_required: a lead, a customer, and an owner who is demoted while the invitation is being made', async () => {
  const body = { email: 'accomplice@example.com', role: 'owner' };
  for (const person of [await makeOperator(service, 'lead'), await signUp(service)])
    expect((await invite(body, person.token)).body.error.code).toBe('role_required');
  const leaving = await makeOperator(service);
  const { db } = service.context;
  const demotion = await db.startTransaction().execute();
  await demotion.updateTable('people').set({ operator_role: 'lead' }).where('id', '=', leaving.userId).execute();
  const late = invite(body, leaving.token);
  await untilBlocked(db);
  await demotion.commit().execute();
  expect((await late).body.error.code).toBe('role_required');
  expect((await open()).map(({ email }: { email: string }) => email)).not.toContain(body.email);
});

test('422 invalid_request: the address of an operator, an unknown role, a limit of none', async () => {
  const colleague = await makeOperator(service, 'maker');
  for (const [body, location] of [
    [{ email: colleague.email.toUpperCase(), role: 'lead' }, '/email'],
    [{ email: 'new@example.com', role: 'admin' }, '/role'],
    [{ email: 'new@example.com', role: 'maker', held_limit: 0 }, '/held_limit'],
  ] as const) {
    const answer = await invite(body);
    expect([answer.status, answer.body.error.details[0].location]).toEqual([422, location]);
  }
});

test('422 unsupported_service: a family that the catalog does not have', async () => {
  const { status, body } = await invite({ email: 'new@example.com', role: 'maker', service_families: ['cooking'] });
  expect([status, body.error.code]).toEqual([422, 'unsupported_service']);
});

test('403 limit_reached: the 51st open invitation of an owner, also of two sent at once; one that ends makes room', async () => {
  const { token, userId } = await makeOperator(service);
  await sql`
    insert into operator_invitations (id, email, role, held_limit, inviter_id, expires_at)
    select uuidv7(), ${userId} || n || '@x.example', 'maker', 3, ${userId}, now() + interval '1 day'
    from generate_series(1, 49) n`.execute(service.context.db);
  const inviteOne = (name: string) => invite({ email: `${name}-${userId}@x.example`, role: 'maker' }, token);
  const answers = await Promise.all(['mira', 'noor'].map(inviteOne));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  expect(answers.find(({ status }) => status === 403)?.body.error).toMatchObject({
    code: 'limit_reached',
    message: 'You have 50 open invitations; you may have 50.',
  });
  const { id } = answers.find(({ status }) => status === 201)!.body.operator_invitation;
  expect((await service.call('DELETE', `${path}/${id}`, { as: token })).status).toBe(200);
  expect((await inviteOne('olga')).status).toBe(201);
  await sql`delete from operator_invitations where inviter_id = ${userId}`.execute(service.context.db);
});
