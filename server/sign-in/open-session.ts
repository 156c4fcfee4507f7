import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import type { signIn } from '../../contract/people/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit, appendAuditOnce } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { type Auth, askLibrary } from './auth.ts';
import { normalEmail, showUser } from './person.ts';

type Dependencies = { auth: Auth; db: Db };
type Proof = { email: string; password: string; code?: string };
type SignIn = { body: Proof; headers: IncomingHttpHeaders; ip: string; cause: Cause };
type Opened = { response: { user: Parameters<typeof showUser>[0] }; headers: Headers };

type Session = { userId: string; answer: AnswerOf<typeof signIn> };

/** Ignores cookies, so that nobody can plant one. The session is unusable before `recordSignIn`. */
export async function openSession(dependencies: Dependencies, request: SignIn): Promise<Session> {
  try {
    return await proveAndOpen(dependencies, request);
  } catch (error) {
    const refused = error instanceof Refusal && refusedProof(error, request.body);
    if (refused) await recordRefusedProof(dependencies.db, request.cause, request.body.email, refused);
    throw error;
  }
}

async function proveAndOpen({ auth, db }: Dependencies, request: SignIn): Promise<Session> {
  const { body } = request;
  const headers = auth.headersFor(request.ip, request.headers['user-agent']);
  const before = await passwordHash(db, body.email);
  const opened = await provePassword(auth, body, headers);
  const session = 'challenge' in opened ? await proveSecondFactor({ auth, db }, opened.challenge, body) : opened;
  const token = session.headers.get('set-auth-token') ?? '';
  // A change of the password during the sign-in ended all other sessions. This one ends too.
  if ((await passwordHash(db, body.email)) !== before) {
    await db.deleteFrom('sessions').where('token', '=', auth.openToken(token)).execute();
    throw wrongPassword();
  }
  const answer = {
    status: 200 as const,
    body: { token, user: showUser(session.response.user) },
    headers: { 'set-auth-token': token, 'set-cookie': session.headers.getSetCookie() },
  };
  return { userId: session.response.user.id, answer };
}

type RefusedProof = 'user.password_refused' | 'user.code_refused';

/** Not recorded: a missing code, which the page asks for next, and a 503, which checked nothing. */
function refusedProof({ code }: Refusal, proof: Proof): RefusedProof | null {
  if (code === 'service_unavailable') return null;
  if (code === 'unauthenticated') return 'user.password_refused';
  return proof.code === undefined ? null : 'user.code_refused';
}

/** The entry names no person: a failed sign-in does not prove who it was. */
export const recordRefusedProof = (db: Db, cause: Cause, email: string, action: RefusedProof) =>
  transact(db, async (trx) => {
    const person = await trx
      .selectFrom('people')
      .select('id')
      .where('email', '=', normalEmail(email))
      .executeTakeFirst();
    if (person) await appendAuditOnce(trx, cause, { action, subject: showId('user', person.id), accountId: null });
  });

/** The session can be used from here on. It acts for the account that the person opened last. */
export const recordSignIn = ({ auth, db }: Dependencies, cause: Cause, userId: string, token: string) =>
  transact(db, async (trx) => {
    const account_id = await accountToOpen(trx, userId);
    await trx
      .updateTable('sessions')
      .set({ account_id, last_used_at: sql<Date>`now()` })
      .where('token', '=', auth.openToken(token))
      .execute();
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'session.created', subject, accountId: null });
  });

export async function accountToOpen(db: Db | Trx, userId: string): Promise<string | null> {
  const last = await db
    .selectFrom('members')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.account_id ?? null;
}

/** Waits for a concurrent change of the password. */
async function passwordHash(db: Db, email: string): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from credentials
    where provider_id = 'credential' and user_id = (select id from people where email = ${normalEmail(email)})
    for share`.execute(db);
  return rows[0]?.password ?? null;
}

/** Returns a session, or for a person with a second factor a challenge that is valid for ten minutes. */
async function provePassword(
  auth: Auth,
  { email, password }: Proof,
  headers: Headers,
): Promise<Opened | { challenge: Headers }> {
  const signedIn = (await auth.api()).signInEmail({
    body: { email: normalEmail(email), password },
    headers,
    returnHeaders: true,
  });
  const { response, headers: sessionHeaders } = await askLibrary(signedIn, {
    INVALID_EMAIL_OR_PASSWORD: wrongPassword(),
  });
  if (!('twoFactorRedirect' in response)) return { response, headers: sessionHeaders };
  const challenge = new Headers(headers);
  challenge.set(
    'cookie',
    sessionHeaders
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  );
  return { challenge };
}

async function proveSecondFactor(
  { auth, db }: Dependencies,
  headers: Headers,
  { email, code: typed }: Proof,
): Promise<Opened> {
  if (typed === undefined) throw new Refusal('second_factor_required');
  const isDigits = /^\d{6}$/.test(typed);
  const code = isDigits ? typed : await asIssued({ auth, db }, email, typed);
  const input = { body: { code }, headers, returnHeaders: true as const };
  const api = await auth.api();
  const proved = isDigits ? api.verifyTOTP(input) : api.verifyBackupCode(input);
  const opened: Opened = await askLibrary(proved as Promise<Opened>, {
    INVALID_CODE: wrongCode(),
    INVALID_BACKUP_CODE: wrongCode(),
    ACCOUNT_TEMPORARILY_LOCKED: tooManyCodes(),
    'Failed to verify backup code. Please try again.': wrongCode(), // a concurrent sign-in used it
  });
  if (await useCode(db, opened.response.user.id, code)) return opened;
  const token = auth.openToken(opened.headers.get('set-auth-token') ?? '');
  await db.deleteFrom('sessions').where('token', '=', token).execute();
  throw wrongCode();
}

/** A recovery code in the case in which it was issued; people write them down in capitals. */
async function asIssued({ auth, db }: Dependencies, email: string, code: string): Promise<string> {
  const person = await db.selectFrom('people').select('id').where('email', '=', normalEmail(email)).executeTakeFirst();
  if (!person) return code;
  const issued = (await auth.api()).viewBackupCodes({ body: { userId: person.id } });
  const { backupCodes } = await askLibrary(issued, {});
  return backupCodes.find((issuedCode) => issuedCode.toLowerCase() === code.toLowerCase()) ?? code;
}

/**
 * Codes stay valid a little longer than shown, so the last three are remembered. Of two sign-ins at once with
 * one code, the second finds other codes than it read and reads again.
 */
export async function useCode(db: Db | Trx, userId: string, code: string): Promise<boolean> {
  for (;;) {
    const factor = await db
      .selectFrom('two_factors')
      .select('used_codes')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!factor || factor.used_codes.includes(code)) return false;
    const { numUpdatedRows } = await db
      .updateTable('two_factors')
      .set({ used_codes: [code, ...factor.used_codes].slice(0, 3) })
      .where('user_id', '=', userId)
      .where(sql<boolean>`used_codes = ${factor.used_codes}::text[]`)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) return true;
  }
}

const wrongPassword = () =>
  new Refusal('unauthenticated', {
    message: 'The e-mail address or the password is wrong.',
    action: 'Check both, or reset the password with POST /api/auth/request-password-reset.',
  });

const wrongCode = () =>
  new Refusal('second_factor_required', { message: 'The code is wrong, has expired or was already used.' });

const tooManyCodes = () =>
  new Refusal('rate_limit_exceeded', { message: 'Ten wrong codes were sent in a row.', retryAfterSeconds: 900 });
