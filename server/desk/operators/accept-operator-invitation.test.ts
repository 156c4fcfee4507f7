import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSecondFactor } from '../../../test/support/authenticator.ts';
import { createService, type Service } from '../../../test/support/harness.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import {
  goodPassword,
  mailedToken,
  makeOperator,
  newSession,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../../test/support/people.ts';
import { showId } from '../../lib/id.ts';
import { ensureOperator } from './ensure-operator.ts';

let service: Service;
let owner: TestPerson;
// Of its own: it lists all operators.
beforeAll(async () => {
  service = await createService();
  owner = await makeOperator(service);
});
afterAll(() => service.close());

const path = '/api/auth/operator-invitations/accept';
const accept = (token: string, more: object = {}) =>
  service.call('POST', path, { body: { token, password: goodPassword, ...more } });
const join = (token: string, more: object = {}) => accept(token, { name: 'Mira Okafor', ...more });
const roleOf = async (as: string) =>
  (await service.call('GET', '/api/auth/session', { as })).body.user?.operator_role ?? null;
const open = async () =>
  (await service.call('GET', '/api/operator/v1/operator-invitations', { as: owner.token })).body.operator_invitations;
const operators = async () =>
  (await service.call('GET', '/api/operator/v1/operators?limit=100', { as: owner.token })).body.operators;

test('200: a new person is signed up and in, with a verified address and what was offered', async () => {
  const offer = { role: 'lead', service_families: ['design'], held_limit: 3 };
  const { email, token } = await inviteOperator(service, owner, offer);
  const answer = await join(token);
  expect([answer.status, answer.body.user]).toMatchObject([200, { name: 'Mira Okafor', email, email_verified: true }]);
  expect(answer.headers.getSetCookie()[0]).toContain('HttpOnly');
  expect(await roleOf(answer.body.token)).toBe('lead');
  expect((await service.call('GET', '/api/operator/v1/audit', { as: answer.body.token })).status).toBe(200);
  expect(await operators()).toContainEqual(expect.objectContaining({ email, ...offer }));
  expect((await open()).map((one: { email: string }) => one.email)).not.toContain(email);
  const { id } = answer.body.user;
  const audit = await service.call('GET', `/api/operator/v1/audit?subject=${id}`, { as: owner.token });
  expect(audit.body.audit_entries).toContainEqual(
    expect.objectContaining({
      action: 'operator.added',
      created_by: expect.objectContaining({ id }),
      details: { role: 'lead', inviter_id: showId('user', owner.userId) },
    }),
  );
});

test('200: somebody who has signed up keeps their account, and their other sessions end', async () => {
  const person = await signUp(service, 'Noor');
  const elsewhere = await newSession(service, person);
  const { token } = await inviteOperator(service, owner, { email: person.email, role: 'reviewer' });
  const answer = await accept(token);
  expect([answer.status, await roleOf(answer.body.token)]).toEqual([200, 'reviewer']);
  for (const as of [person.token, elsewhere.token])
    expect((await service.call('GET', '/api/auth/session', { as })).status).toBe(401);
  const { account } = (await service.call('GET', '/api/auth/session', { as: answer.body.token })).body;
  expect(account.id).toBe(showId('acct', person.accountId));
});

test('200: the token verifies the address of somebody who never proved it', async () => {
  const person = await signUpUnverified(service);
  const { token } = await inviteOperator(service, owner, { email: person.email });
  const { status, body } = await accept(token);
  expect([status, body.user.email_verified]).toEqual([200, false]);
  const { user } = (await service.call('GET', '/api/auth/session', { as: body.token })).body;
  expect([user.email_verified, user.operator_role]).toEqual([true, 'maker']);
});

test('200: of two at the same moment one becomes an operator, the other finds no open invitation', async () => {
  const { token } = await inviteOperator(service, owner);
  const strangers = await Promise.all([join(token), join(token, { name: 'Somebody else' })]);
  expect(strangers.map(({ status }) => status).toSorted()).not.toEqual([200, 200]);
  const person = await signUp(service);
  const known = await inviteOperator(service, owner, { email: person.email });
  const answers = await Promise.all([accept(known.token), accept(known.token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const sessions = await service.context.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', person.userId)
    .execute();
  expect(sessions, 'the refused one leaves no session').toHaveLength(1);
});

describe('with a second factor', () => {
  test('200: with the code of it', async () => {
    const person = await signUp(service);
    const { phone } = await addSecondFactor(service, person);
    const { token } = await inviteOperator(service, owner, { email: person.email });
    expect((await accept(token, { code: phone() })).status).toBe(200);
  });

  test('403 second_factor_required: without a code, and with a wrong one; the invitation stays open', async () => {
    const person = await signUp(service);
    await addSecondFactor(service, person);
    const { token } = await inviteOperator(service, owner, { email: person.email });
    for (const more of [{}, { code: '000000' }]) {
      const { status, body } = await accept(token, more);
      expect([status, body.error.code]).toEqual([403, 'second_factor_required']);
    }
    expect((await open()).map((one: { email: string }) => one.email)).toContain(person.email);
  });

  test('200: where the desk demands one, it leads to setting one up', async () => {
    const strict = await createService({ OPERATOR_SECOND_FACTOR: 'required' });
    try {
      const boss = await makeOperator(strict);
      const { token: bossToken } = await addSecondFactor(strict, boss);
      const { token } = await inviteOperator(strict, { ...boss, token: bossToken });
      const body = { token, name: 'Mira', password: goodPassword };
      const joined = await strict.call('POST', path, { body });
      expect(joined.status).toBe(200);
      const counts = () => strict.call('GET', '/api/operator/v1/jobs/counts', { as: joined.body.token });
      const refused = await counts();
      expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_required']);
      const started = await strict.call('POST', '/api/auth/second-factor/start', {
        as: joined.body.token,
        body: { password: goodPassword },
      });
      expect(started.status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});

test('401 unauthenticated: a wrong password, also in the session of the invited person', async () => {
  const person = await signUp(service);
  const { token } = await inviteOperator(service, owner, { email: person.email });
  for (const as of [null, person.token]) {
    const { status, body } = await service.call('POST', path, { as, body: { token, password: 'not theirs at all' } });
    expect([status, body.error.code]).toEqual([401, 'unauthenticated']);
  }
  expect(await roleOf(person.token)).toBeNull();
  expect((await accept(token)).status, 'the invitation is still open').toBe(200);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const { token } = await inviteOperator(service, owner);
  const headers = { origin: 'https://evil.example.com' };
  const body = { token, name: 'Mira', password: goodPassword };
  const answer = await service.call('POST', path, { body, headers });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
});

describe('404 invitation_not_found', () => {
  const refused = async (token: string) => {
    const { status, body } = await join(token);
    expect([status, body.error.code]).toEqual([404, 'invitation_not_found']);
  };
  const change = (by: TestPerson, method: string, body?: object) =>
    service.call(method, `/api/operator/v1/operators/${showId('user', by.userId)}`, {
      as: owner.token,
      ...(body ? { body } : {}),
    });

  test('unknown, used, canceled, replaced, expired', async () => {
    await refused('of-nothing');
    const used = await inviteOperator(service, owner);
    expect((await join(used.token)).status).toBe(200);
    await refused(used.token);
    const canceled = await inviteOperator(service, owner);
    await service.call('DELETE', `/api/operator/v1/operator-invitations/${canceled.id}`, { as: owner.token });
    await refused(canceled.token);
    const replaced = await inviteOperator(service, owner);
    await inviteOperator(service, owner, { email: replaced.email });
    await refused(replaced.token);
    const expired = await inviteOperator(service, owner);
    await service.context.db
      .updateTable('operator_invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('email', '=', expired.email)
      .execute();
    await refused(expired.token);
  });

  test('the inviter was demoted, removed, or got a new password from the studio', async () => {
    const demoted = await makeOperator(service);
    const first = await inviteOperator(service, demoted);
    expect((await change(demoted, 'PATCH', { held_limit: 5 })).status).toBe(200);
    expect(
      (await open()).map(({ id }: { id: string }) => id),
      'an owner keeps them',
    ).toContain(first.id);
    await change(demoted, 'PATCH', { role: 'lead' });
    await refused(first.token);
    const removed = await makeOperator(service);
    const second = await inviteOperator(service, removed);
    await change(removed, 'DELETE');
    await refused(second.token);
    const replaced = await makeOperator(service);
    const third = await inviteOperator(service, replaced);
    const input = { email: replaced.email, password: 'another good password', replacePassword: true };
    await ensureOperator(service.context, input);
    await refused(third.token);
  });

  test('the inviter undoes a change of their password', async () => {
    const robbed = await makeOperator(service);
    const body = { current_password: goodPassword, new_password: 'the thief’s own password' };
    await service.call('POST', '/api/auth/change-password', { as: robbed.token, body });
    const { token } = await inviteOperator(service, robbed, { role: 'owner' });
    const mail = service.emails.findLast(({ to, subject }) => to === robbed.email && subject.includes('changed'));
    const undo = { token: /undo-change\?token=(\S+)/.exec(mail?.text ?? '')?.[1] };
    expect((await service.call('POST', '/api/auth/undo-change', { body: undo })).status).toBe(200);
    await refused(token);
  });

  test('the inviter is demoted at the same moment', async () => {
    const inviter = await makeOperator(service);
    const { token } = await inviteOperator(service, inviter);
    const { db } = service.context;
    const demotion = await db.startTransaction().execute();
    await demotion.deleteFrom('operator_invitations').where('inviter_id', '=', inviter.userId).execute();
    const late = join(token);
    await untilBlocked(db);
    await demotion.commit().execute();
    expect((await late).status).toBe(404);
  });
});

describe('422 invalid_request', () => {
  const fault = async (token: string, more: object) => {
    const { status, body } = await accept(token, more);
    return [status, body.error.code, body.error.details?.[0].location];
  };

  test('a new person without a name, with a short or an easily guessed password', async () => {
    const { token } = await inviteOperator(service, owner);
    expect(await fault(token, {})).toEqual([422, 'invalid_request', '/name']);
    expect(await fault(token, { name: 'Mira', password: 'short' })).toEqual([422, 'invalid_request', '/password']);
    expect(await fault(token, { name: 'Mira', password: 'password123' })).toEqual([
      422,
      'invalid_request',
      '/password',
    ]);
  });

  test('a name of somebody who has signed up', async () => {
    const { email } = await signUp(service);
    const { token } = await inviteOperator(service, owner, { email });
    expect(await fault(token, { name: 'Mira' })).toEqual([422, 'invalid_request', '/name']);
  });

  test('somebody who has since become an operator keeps their role', async () => {
    const person = await signUp(service);
    const { token } = await inviteOperator(service, owner, { email: person.email, role: 'owner' });
    await ensureOperator(service.context, { email: person.email, password: goodPassword, role: 'maker' });
    expect(await fault(token, {})).toEqual([422, 'invalid_request', undefined]);
    expect(await roleOf(person.token)).toBe('maker');
  });

  test('the address replaced another one, whose owner can still undo that', async () => {
    const person = await signUp(service);
    const { email, token } = await inviteOperator(service, owner);
    const change = { email, password: goodPassword };
    await service.call('POST', '/api/auth/change-email', { as: person.token, body: change });
    const body = { token: mailedToken(service, email, 'Confirm') };
    expect((await service.call('POST', '/api/auth/change-email/confirm', { as: person.token, body })).status).toBe(200);
    const answer = await accept(token);
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining('can be undone until')]);
    expect(await roleOf(person.token)).toBeNull();
  });
});

test('429 rate_limit_exceeded: many wrong passwords', async () => {
  const slow = await createService({ RATE_GUESS_PASSWORD: 'person=2/60' });
  try {
    const boss = await makeOperator(slow);
    const person = await signUp(slow);
    const { token } = await inviteOperator(slow, boss, { email: person.email });
    const statuses = [];
    for (let n = 0; n < 3; n++)
      statuses.push((await slow.call('POST', path, { body: { token, password: 'not theirs at all' } })).status);
    expect(statuses).toEqual([401, 401, 429]);
  } finally {
    await slow.close();
  }
});

test('a deleted person leaves no invitation to their address, nor an answer that has it', async () => {
  const person = await signUp(service);
  const body = { email: person.email, role: 'maker' };
  const headers = { 'idempotency-key': 'an-invitation' };
  const as = owner.token;
  expect((await service.call('POST', '/api/operator/v1/operator-invitations', { as, body, headers })).status).toBe(201);
  const gone = { password: goodPassword };
  expect((await service.call('POST', '/api/auth/delete', { as: person.token, body: gone })).status).toBe(200);
  expect((await open()).map(({ email }: { email: string }) => email)).not.toContain(person.email);
  const answers = await service.context.db.selectFrom('caller_idempotency_keys').select('answer').execute();
  expect(JSON.stringify(answers)).not.toContain(person.email);
});
