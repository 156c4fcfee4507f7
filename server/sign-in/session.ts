import { sql } from 'kysely';
import { may, type OperatorRole } from '../../contract/desk/operator-roles.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Auth } from './auth.ts';
import type { Credential, Person, View } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';

const scopes = ['api:read', 'api:write'] as const;

/** Null after 14 idle days. Reads role and account each time, so removed members lose access. */
export async function findPerson(db: Db, auth: Auth, credential: Credential): Promise<Person | null> {
  const byCookie = 'cookie' in credential;
  const token = auth.openToken(byCookie ? credential.cookie : credential.bearer);
  if (token === null) return null;
  const row = await db
    .selectFrom('sessions as session')
    .innerJoin('people as user', 'user.id', 'session.user_id')
    .leftJoin('members as member', (join) =>
      join.onRef('member.user_id', '=', 'session.user_id').onRef('member.account_id', '=', 'session.account_id'),
    )
    .leftJoin('accounts as account', 'account.id', 'member.account_id')
    .leftJoin('accounts as viewed', (join) =>
      join.onRef('viewed.id', '=', 'session.viewed_account_id').on('session.viewed_until', '>', sql<Date>`now()`),
    )
    .where('session.token', '=', token)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('session.last_used_at', '>', sql<Date>`now() - interval '14 days'`)
    .select(['user.id', 'user.name', 'user.email', 'user.email_verified', 'user.operator_role', 'user.second_factor'])
    .select('user.name_needed')
    .select(sql<boolean>`session.last_used_at < now() - interval '1 hour'`.as('unseen'))
    .select(['session.id as session_id', 'member.role', 'member.orders', 'account.id as account_id'])
    .select('account.name as account_name')
    .select('account.suspended_since')
    .select([
      'viewed.id as viewed_id',
      'viewed.name as viewed_name',
      'viewed.suspended_since as viewed_suspended_since',
    ])
    .select('session.viewed_until')
    .executeTakeFirst();
  if (!row) return null;
  if (row.unseen) await noteUse(db, row.session_id);
  return {
    method: 'session',
    sessionId: row.session_id,
    userId: row.id,
    name: row.name,
    nameNeeded: row.name_needed,
    email: row.email,
    emailVerified: row.email_verified,
    operatorRole: row.operator_role,
    secondFactor: row.second_factor,
    accountId: row.account_id,
    accountName: row.account_name,
    suspendedSince: row.suspended_since,
    role: row.role,
    scopes,
    ordersWait: row.role === 'member' && row.orders === 'confirmed',
    view: viewOf(row),
    byCookie,
  };
}

type ViewRow = {
  operator_role: OperatorRole | null;
  viewed_id: string | null;
  viewed_name: string | null;
  viewed_suspended_since: Date | null;
  viewed_until: Date | null;
};

/** A view needs the right that began it, at each request. */
function viewOf({ operator_role, viewed_id, viewed_name, viewed_suspended_since, viewed_until }: ViewRow): View | null {
  if (viewed_id === null || viewed_name === null || viewed_until === null) return null;
  if (operator_role === null || !may(operator_role, 'note_accounts')) return null;
  return {
    accountId: viewed_id,
    accountName: viewed_name,
    suspendedSince: viewed_suspended_since,
    until: viewed_until,
  };
}

/** At most once an hour, so that reading a session seldom writes. */
const noteUse = (db: Db, id: string) =>
  db
    .updateTable('sessions')
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
