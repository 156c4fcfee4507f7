import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from './harness.ts';
import { makeOperator, newSession, signIn, signUp, signUpUnverified, type TestPerson } from './people.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

/** The non-null columns of a person's rows, by table. */
async function columnsOf({ userId, sessionId }: TestPerson) {
  const { db } = service.context;
  const rows = {
    user: await db.selectFrom('people').selectAll().where('id', '=', userId).executeTakeFirstOrThrow(),
    credential: await db.selectFrom('credentials').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    member: await db.selectFrom('members').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    session: await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst(),
  };
  const filled = (row: object = {}) =>
    Object.entries(row).flatMap(([name, value]) => (value === null || name === 'known_networks' ? [] : [name]));
  return Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, filled(row)]));
}

/** What the API shows of a session, without the values that differ for each person. */
async function seenBy(person: TestPerson) {
  const seen = [];
  for (const as of [person.token, person]) {
    const { status, body } = await service.call('GET', '/api/auth/session', { as });
    seen.push([status, Object.keys(body), Object.keys(body.user), body.account.role]);
  }
  const { body } = await service.call('GET', '/api/auth/sessions', { as: person });
  return [...seen, body.sessions.at(-1).device];
}

test('a person that a test writes to the database is like one who signed up', async () => {
  const [written, real] = [await signUp(service), await signUpUnverified(service)];
  expect(await columnsOf(written)).toEqual(await columnsOf(real));
  expect(await seenBy(written)).toEqual(await seenBy(real));
});

test('a session that a test writes to the database is like one that a sign-in opened', async () => {
  for (const person of [await signUp(service), await makeOperator(service)]) {
    const [written, real] = [await newSession(service, person), await signIn(service, person.email)];
    expect(await columnsOf(written)).toEqual(await columnsOf(real));
    expect(Object.keys(written)).toEqual(Object.keys(real));
    expect([written.accountId, written.userId]).toEqual([real.accountId, real.userId]);
  }
});
