import { beforeAll, expect, test } from 'vitest';
import { untilBlocked } from '../../test/support/locks.ts';
import { addMember, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/invitations';

test('201: an invitation for 48 hours, and a mail with a link to it', async () => {
  const owner = await signUp(service, 'Olga of evil.example');
  const { status, body } = await service.call('POST', path, {
    as: owner.token,
    body: { email: 'New@Example.com', role: 'admin' },
  });
  expect(status).toBe(201);
  expect(body.invitation).toMatchObject({ email: 'new@example.com', role: 'admin', status: 'pending' });
  const hours = (Date.parse(body.invitation.expires_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(47.9);
  expect(hours).toBeLessThan(48.1);
  const email = service.emails.find(({ to }) => to === 'new@example.com');
  expect(email?.subject).toBe('You are invited to an account');
  expect(email?.text).toContain('Olga of evil. example invites you');
  expect(email?.text).not.toContain('evil.example');
  expect(email?.text).toMatch(
    new RegExp(`http://localhost:3000/invitations/${body.invitation.id}\\?token=[\\w-]{43}\n`),
  );
  const { token_digest } = await service.context.db
    .selectFrom('invitations')
    .select('token_digest')
    .where('email', '=', 'new@example.com')
    .executeTakeFirstOrThrow();
  expect(token_digest, 'only the mail has the token').toHaveLength(32);
});

test('201: inviting an address again replaces its pending invitation', async () => {
  const { token } = await signUp(service);
  const body = { email: 'twice@example.com', role: 'member' };
  for (const _ of [1, 2]) expect((await service.call('POST', path, { as: token, body })).status).toBe(201);
  const { invitations } = (await service.call('GET', path, { as: token })).body;
  expect(invitations.map((one: { status: string }) => one.status)).toEqual(['pending', 'canceled']);
});

test('201: inviting an address several times at once leaves one pending invitation', async () => {
  const { token } = await signUp(service);
  const body = { email: 'at-once@example.com', role: 'member' };
  await Promise.all([1, 2, 3, 4].map(() => service.call('POST', path, { as: token, body })));
  const { invitations } = (await service.call('GET', path, { as: token })).body;
  expect(invitations.filter((one: { status: string }) => one.status === 'pending')).toHaveLength(1);
});

test('403 role_required: an admin who is removed while the invitation is being made', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const [invited] = await service.context.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('members').where('id', '=', admin.memberId).execute();
    const body = { email: 'accomplice@example.com', role: 'admin' };
    const answer = service.call('POST', path, { as: admin.token, body });
    await untilBlocked(service.context.db);
    return [answer];
  });
  const { status, body } = await (invited ?? expect.fail());
  expect([status, body.error?.code]).toEqual([403, 'role_required']);
});

test('403 role_required: member session', async () => {
  const member = await addMember(service, await signUp(service), 'member');
  const answer = await service.call('POST', path, {
    as: member.token,
    body: { email: 'a@example.com', role: 'member' },
  });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'role_required']);
});

test('422 invalid_request: a member already, or the role of an owner', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  for (const [body, location] of [
    [{ email: member.email.toUpperCase(), role: 'admin' }, '/email'],
    [{ email: 'new@example.com', role: 'owner' }, '/role'],
  ] as const) {
    const answer = await service.call('POST', path, { as: owner.token, body });
    expect([answer.status, answer.body.error.details[0].location]).toEqual([422, location]);
  }
});
