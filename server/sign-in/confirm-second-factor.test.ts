import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';
import { addSecondFactor, authenticatorOf, signInWith } from '../../test/support/authenticator.ts';
import { addMember, goodPassword, makeOperator, signIn, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: signing in takes a code from now on, once each; other sessions have ended', async () => {
  const ada = await signUp(service);
  const before = await signIn(service, ada.email);
  const { phone, token, confirmed } = await addSecondFactor(service, ada);
  expect(confirmed.body.user.email).toBe(ada.email);
  expect(confirmed.headers.getSetCookie()[0]).toMatch(/^atelier\.session_token=.+HttpOnly/);
  for (const ended of [ada.token, before.token])
    expect((await service.call('GET', '/api/auth/session', { as: ended })).status).toBe(401);
  expect((await service.call('GET', '/api/auth/session', { as: token })).body.user.second_factor).toBe(true);

  const code = phone();
  const without = await signInWith(service, ada);
  expect([without.status, without.body.error.code]).toEqual([403, 'second_factor_required']);
  expect((await signInWith(service, ada, code)).status).toBe(200);
  const again = await signInWith(service, ada, code);
  expect([again.status, again.body.error.code]).toEqual([403, 'second_factor_required']);
  const mail = service.emails.findLast(({ to }) => to === ada.email);
  expect(mail?.subject).toBe('Your second factor was changed');
  expect(mail?.text).toContain('http://localhost:3000/undo-change?token=');
});

test('200: of two sign-ins with one code at the same moment one succeeds', async () => {
  const ada = await signUp(service);
  const { phone } = await addSecondFactor(service, ada);
  const code = phone();
  const answers = await Promise.all([1, 2, 3].map(() => signInWith(service, ada, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
  const rows = await service.context.db.selectFrom('sessions').where('user_id', '=', ada.userId).select('id').execute();
  expect(rows).toHaveLength(2);
});

test('200: the session still acts for the account that it acted for', async () => {
  const [ada, olga] = [await signUp(service), await signUp(service, 'Olga')];
  const member = await addMember(service, olga, 'member');
  const { token } = await addSecondFactor(service, { ...member, token: member.token });
  expect((await service.call('GET', '/api/auth/session', { as: token })).body.account.name).toBe('Olga');
  expect(ada.userId).not.toBe(olga.userId);
});

test('a recovery code signs in once in place of the phone', async () => {
  const ada = await signUp(service);
  const { recoveryCodes } = await addSecondFactor(service, ada);
  const [code = ''] = recoveryCodes;
  expect((await signInWith(service, ada, code)).status).toBe(200);
  expect((await signInWith(service, ada, code)).status).toBe(403);
  expect((await signInWith(service, ada, recoveryCodes[1])).status).toBe(200);
});

const spaced = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

test('codes work as people type them, once each whatever the writing', async () => {
  const ada = await signUp(service);
  const path = '/api/auth/second-factor';
  const started = await service.call('POST', `${path}/start`, { as: ada.token, body: { password: goodPassword } });
  const phone = authenticatorOf(started.body.otpauth_url);
  const confirm = () => service.call('POST', `${path}/confirm`, { as: ada.token, body: { code: spaced(phone(-1)) } });
  let confirmed = await confirm();
  if (confirmed.status === 422) confirmed = await confirm(); // the code was of two periods ago
  expect(confirmed.status).toBe(200);
  const code = phone();
  expect((await signInWith(service, ada, spaced(code))).status).toBe(200);
  expect((await signInWith(service, ada, code)).body.error.code).toBe('second_factor_required');

  const [first, second, third, fourth] = started.body.recovery_codes as [string, string, string, string];
  const written = [
    first.toUpperCase(),
    second.replace('-', ''),
    `${third.replace('-', ' — ')}\n`,
    fourth.toLowerCase(),
  ];
  for (const recovery of written) expect((await signInWith(service, ada, recovery)).status).toBe(200);
  for (const recovery of [first, second, third, fourth])
    expect((await signInWith(service, ada, recovery)).status).toBe(403);
});

test('a wrong code counts towards the lock in any writing, and a right one ends the count', async () => {
  const ada = await signUp(service);
  const { phone, recoveryCodes } = await addSecondFactor(service, ada);
  const fail = async (times: number) => {
    for (let n = 0; n < times; n++)
      expect((await signInWith(service, ada, n % 2 ? '000 000' : 'aaaaa aaaaa')).status).toBe(403);
  };
  await fail(9);
  expect((await signInWith(service, ada, recoveryCodes[0]?.toUpperCase())).status).toBe(200);
  await fail(10);
  expect((await signInWith(service, ada, phone())).status).toBe(429);
});

test('ten wrong codes in a row lock for a quarter of an hour, whatever comes then; a wrong password says nothing of codes', async () => {
  const ada = await signUp(service);
  const { phone } = await addSecondFactor(service, ada);
  for (let n = 0; n < 10; n++) expect((await signInWith(service, ada, '000000')).status).toBe(403);
  const locked = await signInWith(service, ada, phone());
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '900']);
  expect((await signInWith(service, ada, phone(), 'wrong password')).status).toBe(401);
  await sql`update two_factors set locked_until = now() - interval '1 second' where user_id = ${ada.userId}`.execute(
    service.context.db,
  );
  expect((await signInWith(service, ada, phone())).status).toBe(200);
});

test('403 second_factor_required: of sign-ins with one recovery code at the same moment all but one', async () => {
  const ada = await signUp(service);
  const { recoveryCodes } = await addSecondFactor(service, ada);
  const answers = await Promise.all([...Array(5)].map(() => signInWith(service, ada, recoveryCodes[0])));
  const said = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
  expect(said.toSorted()).toEqual(['200', ...Array(4).fill('403 second_factor_required')]);
});

test('after a new SECRET_KEY was put before the old one, codes still work', async () => {
  const [old, fresh] = ['0123456789abcdefghijklmnopqrstuv', 'vutsrqponmlkjihgfedcba9876543210'];
  const before = await createService({ SECRET_KEY: old });
  const ada = await signUp(before);
  const { phone, recoveryCodes } = await addSecondFactor(before, ada);
  const after = await createService({ SECRET_KEY: `${fresh},${old}` }, { databaseUrl: before.databaseUrl });
  expect((await signInWith(after, ada, phone())).status).toBe(200);
  expect((await signInWith(after, ada, recoveryCodes[0])).status).toBe(200);
  for (const service of [before, after]) await service.close();
});

test('503 service_unavailable: the database is lost at the last write: nothing has changed, and a retry succeeds', async () => {
  const ada = await signUp(service);
  const { db } = service.context;
  await sql`create function die() returns trigger language plpgsql as $$
    begin if new.action = 'user.second_factor_added' then perform pg_terminate_backend(pg_backend_pid()); end if;
    return new; end $$`.execute(db);
  await sql`create trigger die before insert on audit_log for each row execute function die()`.execute(db);
  const path = '/api/auth/second-factor';
  const started = await service.call('POST', `${path}/start`, { as: ada.token, body: { password: goodPassword } });
  const phone = authenticatorOf(started.body.otpauth_url);
  const confirm = () => service.call('POST', `${path}/confirm`, { as: ada.token, body: { code: phone() } });
  const lost = await confirm();
  await sql`drop function die cascade`.execute(db);
  expect([lost.status, lost.body.error.code]).toEqual([503, 'service_unavailable']);
  const { status, body } = await service.call('GET', '/api/auth/session', { as: ada.token });
  expect([status, body.user.second_factor]).toEqual([200, false]);
  expect((await signInWith(service, ada)).status).toBe(200);

  expect((await confirm()).status).toBe(200);
  expect((await signInWith(service, ada)).body.error.code).toBe('second_factor_required');
  const mail = service.emails.findLast(({ to }) => to === ada.email);
  expect(mail?.subject).toBe('Your second factor was changed');
  const entries = await db
    .selectFrom('audit_log')
    .select('user_id')
    .where('action', '=', 'user.second_factor_added')
    .where('user_id', '=', ada.userId)
    .execute();
  expect(entries).toHaveLength(1);
});

test('401 unauthenticated: of two confirmations at the same moment the later one, whose session has ended', async () => {
  const ada = await signUp(service);
  const path = '/api/auth/second-factor';
  const started = await service.call('POST', `${path}/start`, { as: ada.token, body: { password: goodPassword } });
  const code = authenticatorOf(started.body.otpauth_url)();
  const confirm = () => service.call('POST', `${path}/confirm`, { as: ada.token, body: { code } });
  const answers = await Promise.all([confirm(), confirm()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const token = answers.find(({ status }) => status === 200)?.body.token;
  expect((await service.call('GET', '/api/auth/session', { as: token })).status).toBe(200);
});

test('403 second_factor_required: the desk, where the studio wants one of its operators', async () => {
  const strict = await createService({ OPERATOR_SECOND_FACTOR: 'required' }, { databaseUrl: service.databaseUrl });
  const operator = await makeOperator(strict);
  const desk = (as: string) => strict.call('GET', '/api/operator/v1/accounts', { as });
  const refused = await desk(operator.token);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_required']);
  const { token } = await addSecondFactor(strict, operator);
  expect((await desk(token)).status).toBe(200);
  await strict.close();
});

test('422 invalid_request: a wrong code, and a code of nothing', async () => {
  const ada = await signUp(service);
  const confirm = (code: string) =>
    service.call('POST', '/api/auth/second-factor/confirm', { as: ada.token, body: { code } });
  expect((await confirm('123456')).status).toBe(422);
  await service.call('POST', '/api/auth/second-factor/start', { as: ada.token, body: { password: goodPassword } });
  const { status, body } = await confirm('000000');
  expect([status, body.error.details[0].location]).toEqual([422, '/code']);
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).status).toBe(200);
});
