import type { Db } from '../kit/db.ts';
import type { Auth } from './auth.ts';
import type { Person, Role } from './caller.ts';
import type { Credential } from './credential.ts';

/** Sessions hold both scopes. */
const scopes = ['api:read', 'api:write'] as const;

/**
 * The person behind a session. Role and account are read with each request: who was removed acts for the account no
 * more, whatever the session says.
 */
export async function findPerson(db: Db, auth: Auth, credential: Credential): Promise<Person | null> {
  const byCookie = 'cookie' in credential;
  // Only this one credential reaches the library, which would itself try the cookie after a bad bearer.
  const headers = new Headers(
    byCookie ? { cookie: credential.cookie } : { authorization: `Bearer ${credential.bearer}` },
  );
  const sessionId = await auth.findSessionId(headers);
  if (sessionId === null) return null;
  const row = await db
    .selectFrom('auth.session as session')
    .innerJoin('auth.user as user', 'user.id', 'session.user_id')
    .leftJoin('auth.member as member', (join) =>
      join.onRef('member.user_id', '=', 'session.user_id').onRef('member.account_id', '=', 'session.account_id'),
    )
    .leftJoin('auth.account as account', 'account.id', 'member.account_id')
    .where('session.id', '=', sessionId)
    .select(['user.id', 'user.name', 'user.email', 'user.email_verified', 'user.operator', 'member.role'])
    .select(['account.id as account_id', 'account.name as account_name'])
    .executeTakeFirst();
  if (!row) return null;
  return {
    method: 'session',
    sessionId,
    userId: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    operator: row.operator,
    accountId: row.account_id,
    accountName: row.account_name,
    role: row.role as Role | null,
    scopes,
    byCookie,
  };
}
