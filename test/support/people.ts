import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Role } from '../../contract/plans/roles.ts';
import type { Scope } from '../../contract/endpoint.ts';
import type { OperatorRole } from '../../contract/desk/operator-roles.ts';
import { csrfToken } from '../../server/http/csrf.ts';
import { transact } from '../../server/db/pool.ts';
import { readId, showId } from '../../server/lib/id.ts';
import { hashPassword } from '../../server/sign-in/hash-password.ts';
import { accountToOpen } from '../../server/sign-in/open-session.ts';
import { createPerson } from '../../server/sign-in/person.ts';
import type { Got, Service } from './harness.ts';

/**
 * A person with a session: pass `as: person.token` for a bearer, `as: person` for a browser, or `as: {
 * cookie: person.cookie }` for a browser without the CSRF token. Ids are UUIDs; `showId` formats them for the
 * API.
 */
export type TestPerson = {
  token: string;
  cookie: string;
  csrf: string;
  userId: string;
  accountId: string;
  sessionId: string;
  email: string;
  password: string;
};

const newEmail = () => `${randomUUID()}@example.com`;
export const goodPassword = 'correct horse battery';

async function personOf(service: Service, answer: Got, email: string, password: string): Promise<TestPerson> {
  expect(answer.status).toBe(200);
  const userId = readId('user', answer.body.user.id) ?? '';
  const session = await service.context.db
    .selectFrom('sessions')
    .select(['id', 'account_id'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return {
    token: answer.body.token,
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    csrf: csrfToken(service.context.signer, session.id),
    userId,
    accountId: session.account_id ?? '',
    sessionId: session.id,
    email,
    password,
  };
}

/**
 * A new person with an account, a verified address and a session, inserted into the database: hashing a
 * password twice for each person took more CPU time than the tests themselves. `signUpUnverified` signs up
 * over HTTP.
 */
export async function signUp(service: Service, name = 'Ada Lovelace', email = newEmail()): Promise<TestPerson> {
  return insertPerson(service, { name, email, verified: true });
}

/** Computed once per process. */
let goodHash: Promise<string> | undefined;

async function insertPerson(
  service: Service,
  person: { name: string; email: string; verified?: true; operatorRole?: OperatorRole },
): Promise<TestPerson> {
  const passwordHash = await (goodHash ??= hashPassword(goodPassword));
  const made = await transact(service.context.db, (trx) => createPerson(trx, { ...person, passwordHash }));
  if (made === null) throw new Error(`${person.email} is taken.`);
  return insertSession(service, made.id, person.email);
}

/** Inserts another session of a person. It acts for the account they opened last. */
export const newSession = (service: Service, { userId, email }: TestPerson): Promise<TestPerson> =>
  insertSession(service, userId, email);

async function insertSession({ context }: Service, userId: string, email: string): Promise<TestPerson> {
  const token = randomBytes(16).toString('hex');
  const session = await context.db
    .insertInto('sessions')
    .values({
      token,
      user_id: userId,
      account_id: await accountToOpen(context.db, userId),
      ip_address: '127.0.0.1',
      user_agent: 'node',
      expires_at: sql<Date>`now() + interval '30 days'`,
      last_used_at: sql<Date>`now()`,
    })
    .returning(['id', 'account_id'])
    .executeTakeFirstOrThrow();
  const key = createHmac('sha256', context.config.secretKeys[0] ?? '')
    .update('sessions')
    .digest('hex');
  const signed = `${token}.${createHmac('sha256', key).update(token).digest('base64')}`;
  return {
    token: signed,
    cookie: `${context.auth.cookieName}=${encodeURIComponent(signed)}`,
    csrf: csrfToken(context.signer, session.id),
    userId,
    accountId: session.account_id ?? '',
    sessionId: session.id,
    email,
    password: goodPassword,
  };
}

/** The token in the last mail with this subject to an address. */
export function mailedToken(service: Service, email: string, subject: string): string {
  const mail = service.emails.findLast((sent) => sent.to === email && sent.subject.startsWith(subject));
  return /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** A person who signed up over HTTP and has not verified the address. */
export async function signUpUnverified(
  service: Service,
  name = 'Ada Lovelace',
  email = newEmail(),
): Promise<TestPerson> {
  const body = { name, email, password: goodPassword };
  return personOf(service, await service.call('POST', '/api/auth/sign-up/email', { body }), email, goodPassword);
}

/** Signs a person in over HTTP, which opens another session. */
export async function signIn(service: Service, email: string, password = goodPassword): Promise<TestPerson> {
  const answer = await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } });
  return personOf(service, answer, email, password);
}

/** A new person whose session acts for the account of `owner`. */
export async function addMember(service: Service, owner: TestPerson, role: Role, name = `The ${role}`) {
  const person = await signUp(service, name);
  const { db } = service.context;
  const row = { account_id: owner.accountId, user_id: person.userId, role };
  const member = await db.insertInto('members').values(row).returning('id').executeTakeFirstOrThrow();
  await db.updateTable('sessions').set({ account_id: owner.accountId }).where('user_id', '=', person.userId).execute();
  return { ...person, accountId: owner.accountId, memberId: member.id };
}

/** Adds a person to another account and returns a session for that account. */
export async function alsoMember(
  service: Service,
  { email }: TestPerson,
  { accountId }: TestPerson,
  role: Role,
): Promise<TestPerson> {
  const session = await signIn(service, email);
  await service.context.db
    .insertInto('members')
    .values({ account_id: accountId, user_id: session.userId, role })
    .execute();
  const path = `/api/auth/accounts/${showId('acct', accountId)}/switch`;
  expect((await service.call('POST', path, { as: session.token })).status).toBe(200);
  return { ...session, accountId };
}

/** The plaintext of a new API key of the person's account, with both scopes by default. */
export async function makeKey(service: Service, person: TestPerson, scopes?: readonly Scope[]): Promise<string> {
  const body = { name: 'test key', ...(scopes ? { scopes } : {}) };
  const { status, body: made } = await service.call('POST', '/api/v1/api-keys', { as: person.token, body });
  expect(status).toBe(201);
  return made.plaintext_key;
}

/** A new operator with a session. */
export const makeOperator = (service: Service, operatorRole: OperatorRole = 'owner'): Promise<TestPerson> =>
  insertPerson(service, { name: 'Operator', email: newEmail(), operatorRole });

/** Ends the plans of the person's account, as the provider's events would. */
export const endPlans = ({ context }: Service, { accountId }: TestPerson) =>
  context.db.updateTable('entitlements').set({ status: 'canceled' }).where('account_id', '=', accountId).execute();

/** Closes the person's account, whose plans end first. */
export async function closeAccount(service: Service, person: TestPerson): Promise<void> {
  await endPlans(service, person);
  const body = { password: person.password };
  expect((await service.call('POST', '/api/auth/account/close', { as: person.token, body })).status).toBe(200);
}
