import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Auth } from './auth.ts';
import type { Credential, Person } from '../http/caller.ts';
import type { Signer } from '../lib/signer.ts';

const scopes = ['api:read', 'api:write'] as const;

/** Null after 14 idle days. Reads role and account each time, so removed members lose access. */
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
    .where('session.last_used_at', '>', sql<Date>`now() - interval '14 days'`)
    .select(['user.id', 'user.name', 'user.email', 'user.email_verified', 'user.operator_role', 'user.second_factor'])
    .select(['user.name_needed', 'user.mail_messages'])
    .select(sql<boolean>`session.last_used_at < now() - interval '1 hour'`.as('unseen'))
    .select(['session.id as session_id', 'member.role', 'account.id as account_id', 'account.name as account_name'])
    .select('account.suspended_since')
    .executeTakeFirst();
  if (!row) return null;
  if (row.unseen) await noteUse(db, row.session_id);
  return {
    method: 'session',
    sessionId: row.session_id,
    userId: row.id,
    name: row.name,
    nameNeeded: row.name_needed,
    mailMessages: row.mail_messages,
    email: row.email,
    emailVerified: row.email_verified,
    operatorRole: row.operator_role,
    secondFactor: row.second_factor,
    accountId: row.account_id,
    accountName: row.account_name,
    suspendedSince: row.suspended_since,
    role: row.role,
    scopes,
    byCookie,
  };
}

/** At most once an hour, so that reading a session seldom writes. */
const noteUse = (db: Db, id: string) =>
  db
    .updateTable('auth.session')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

export type SignInDependencies = {
  auth: Auth;
  db: Db;
  publicUrl: string;
  rates: RateLimiter<'guess_password'>;
  signer: Signer;
};
