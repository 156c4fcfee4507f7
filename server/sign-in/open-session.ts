import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import type { signIn } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit, appendAuditOnce } from '../audit/append-audit.ts';
import type { Db } from '../db/pool.ts';
import type { Cause } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { type Auth, askLibrary } from './auth.ts';
import { normalEmail, showUser } from './person.ts';
import { transact } from '../db/transact.ts';

type Parts = { auth: Auth; db: Db };
type Proof = { email: string; password: string; code?: string };
type SignIn = { body: Proof; headers: IncomingHttpHeaders; ip: string; cause: Cause };
type Opened = { response: { user: Parameters<typeof showUser>[0] }; headers: Headers };

type Session = { userId: string; answer: AnswerOf<typeof signIn> };

/**
 * Always a new session: no cookie of the request is looked at, so none that somebody planted is adopted. The library makes it in
 * a transaction of its own, so it opens nothing until `recordSignIn`; what fails between the two leaves nobody signed in.
 */
export async function openSession(parts: Parts, request: SignIn): Promise<Session> {
  try {
    return await proveAndOpen(parts, request);
  } catch (error) {
    const refused = error instanceof Refusal && refusedProof(error, request.body);
    if (refused) await recordRefusedProof(parts.db, request.cause, request.body.email, refused);
    throw error;
  }
}

async function proveAndOpen({ auth, db }: Parts, request: SignIn): Promise<Session> {
  const { body } = request;
  const headers = auth.headersFor(request.ip, request.headers['user-agent']);
  const before = await passwordHash(db, body.email);
  const opened = await provePassword(auth, body, headers);
  const session = 'challenge' in opened ? await proveSecondFactor({ auth, db }, opened.challenge, body.code) : opened;
  const token = session.headers.get('set-auth-token') ?? '';
  // A password that was changed meanwhile ended all sessions but this one.
  if ((await passwordHash(db, body.email)) !== before) {
    await db.deleteFrom('auth.session').where('token', '=', auth.openToken(token)).execute();
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

/** A missing code is none: the page asks for one after the password. Nor is a 503, which judged nothing. */
function refusedProof({ code }: Refusal, proof: Proof): RefusedProof | null {
  if (code === 'service_unavailable') return null;
  if (code === 'unauthenticated') return 'user.password_refused';
  return proof.code === undefined ? null : 'user.code_refused';
}

/** Of a person who is there. At a sign-in nobody knows who it was, so the entry names nobody. */
export const recordRefusedProof = (db: Db, cause: Cause, email: string, action: RefusedProof) =>
  transact(db, async (trx) => {
    const person = await trx
      .selectFrom('auth.user')
      .select('id')
      .where('email', '=', normalEmail(email))
      .executeTakeFirst();
    if (person) await appendAuditOnce(trx, cause, { action, subject: showId('user', person.id), accountId: null });
  });

/** From here on the session counts. */
export const recordSignIn = ({ auth, db }: Parts, cause: Cause, userId: string, token: string) =>
  transact(db, async (trx) => {
    await trx
      .updateTable('auth.session')
      .set({ last_used_at: sql<Date>`now()` })
      .where('token', '=', auth.openToken(token))
      .execute();
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'session.created', subject, accountId: null });
  });

/** Waits for whoever is changing it. */
async function passwordHash(db: Db, email: string): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from auth.credential
    where provider_id = 'credential' and user_id = (select id from auth.user where email = ${normalEmail(email)})
    for share`.execute(db);
  return rows[0]?.password ?? null;
}

/** A session; or for a person with a second factor a challenge, which the library keeps for ten minutes. */
async function provePassword(
  auth: Auth,
  { email, password }: Proof,
  headers: Headers,
): Promise<Opened | { challenge: Headers }> {
  const signedIn = auth.api.signInEmail({
    body: { email: normalEmail(email), password },
    headers,
    returnHeaders: true,
  });
  const { response, headers: given } = await askLibrary(signedIn, { INVALID_EMAIL_OR_PASSWORD: wrongPassword() });
  if (!('twoFactorRedirect' in response)) return { response, headers: given };
  const challenge = new Headers(headers);
  challenge.set(
    'cookie',
    given
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  );
  return { challenge };
}

async function proveSecondFactor({ auth, db }: Parts, headers: Headers, code: string | undefined): Promise<Opened> {
  if (code === undefined) throw new Refusal('second_factor_required');
  const asked = { body: { code }, headers, returnHeaders: true as const };
  const proved = /^\d{6}$/.test(code) ? auth.api.verifyTOTP(asked) : auth.api.verifyBackupCode(asked);
  const opened: Opened = await askLibrary(proved as Promise<Opened>, {
    INVALID_CODE: wrongCode(),
    INVALID_BACKUP_CODE: wrongCode(),
    ACCOUNT_TEMPORARILY_LOCKED: tooManyCodes(),
    'Failed to verify backup code. Please try again.': wrongCode(), // another sign-in used it at the same moment
  });
  if (await useCode(db, opened.response.user.id, code)) return opened;
  const token = auth.openToken(opened.headers.get('set-auth-token') ?? '');
  await db.deleteFrom('auth.session').where('token', '=', token).execute();
  throw wrongCode();
}

/** An authenticator shows a code for half a minute, and it is taken a little longer; so the last three are not taken again. */
export async function useCode(db: Db, userId: string, code: string): Promise<boolean> {
  const row = await db
    .updateTable('auth.two_factor')
    .set({ used_codes: sql<string[]>`(array[${code}] || used_codes)[1:3]` })
    .where('user_id', '=', userId)
    .where(sql<boolean>`not ${code} = any(used_codes)`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const wrongPassword = () =>
  new Refusal('unauthenticated', {
    message: 'The e-mail address or the password is wrong.',
    action: 'Check both, or ask for a new password with POST /api/auth/request-password-reset.',
  });

const wrongCode = () =>
  new Refusal('second_factor_required', { message: 'The code is wrong, has expired, or was used before.' });

const tooManyCodes = () =>
  new Refusal('rate_limit_exceeded', { message: 'Ten wrong codes came one after the other.', retryAfterSeconds: 900 });
