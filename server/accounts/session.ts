import { sql } from 'kysely';
import type { IncomingHttpHeaders } from 'node:http';
import type { signIn } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { Cause } from '../http/cause.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';
import type { Person } from '../http/caller.ts';
import type { Credential } from '../http/credential.ts';
import type { Signer } from '../lib/signer.ts';
import type { Outbox } from './outbox.ts';
import { normalEmail, showUser } from './person.ts';

/** Sessions hold both scopes. */
const scopes = ['api:read', 'api:write'] as const;

/**
 * The person behind a session that has not ended by the clock of the database. Role and account are read with each
 * request: who was removed acts for the account no more, whatever the session says.
 */
export async function findPerson(db: Db, auth: Auth, credential: Credential): Promise<Person | null> {
  const byCookie = 'cookie' in credential;
  const token = auth.openToken(byCookie ? credential.cookie : credential.bearer);
  if (token === null) return null;
  const row = await db
    .selectFrom('auth.session as session')
    .innerJoin('auth.user as user', 'user.id', 'session.user_id')
    .leftJoin('auth.member as member', (join) =>
      join.onRef('member.user_id', '=', 'session.user_id').onRef('member.account_id', '=', 'session.account_id'),
    )
    .leftJoin('auth.account as account', 'account.id', 'member.account_id')
    .where('session.token', '=', token)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .select(['user.id', 'user.name', 'user.email', 'user.email_verified', 'user.operator', 'member.role'])
    .select(['session.id as session_id', 'account.id as account_id', 'account.name as account_name'])
    .executeTakeFirst();
  if (!row) return null;
  return {
    method: 'session',
    sessionId: row.session_id,
    userId: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    operator: row.operator,
    accountId: row.account_id,
    accountName: row.account_name,
    role: row.role,
    scopes,
    byCookie,
  };
}

/** What signing in stands on. */
export type SignInParts = {
  auth: Auth;
  db: Db;
  outbox: Outbox;
  publicUrl: string;
  rates: RateLimiter<'guess_password'>;
  signer: Signer;
};

type SignIn = { body: { email: string; password: string }; headers: IncomingHttpHeaders; ip: string; cause: Cause };

/** Always a new session: no cookie of the request is looked at, so none that somebody planted is adopted. */
export async function openSession(
  { auth, db }: { auth: Auth; db: Db },
  { body, headers, ip, cause }: SignIn,
): Promise<AnswerOf<typeof signIn>> {
  const signedIn = auth.api.signInEmail({
    body: { email: normalEmail(body.email), password: body.password },
    headers: auth.headersFor(ip, headers['user-agent']),
    returnHeaders: true,
  });
  const { response, headers: given } = await askLibrary(signedIn, {
    INVALID_EMAIL_OR_PASSWORD: new Refusal('unauthenticated', {
      message: 'The e-mail address or the password is wrong.',
      action: 'Check both, or ask for a new password with POST /api/auth/request-password-reset.',
    }),
  });
  const { id: userId } = response.user;
  // After the library's own transaction, into which nothing of ours can be put.
  await db.transaction().execute(async (trx) => {
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'session.created', subject, accountId: null });
  });
  const token = given.get('set-auth-token') ?? '';
  return {
    status: 200,
    body: { token, user: showUser(response.user) },
    headers: { 'set-auth-token': token, 'set-cookie': given.getSetCookie() },
  };
}
