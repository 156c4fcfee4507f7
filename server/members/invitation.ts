import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

/** Judged by the clock of the database. */
export const status = sql<'pending' | 'accepted' | 'declined' | 'canceled' | 'expired'>`
  case when invitation.status = 'pending' and invitation.expires_at <= now() then 'expired' else invitation.status end`.as(
  'status',
);

export const shown = ['id', 'email', 'role', 'expires_at', status] as const;

export const invitationsOf = (db: Db | Trx, accountId: string) =>
  db.selectFrom('auth.invitation as invitation').where('account_id', '=', accountId).select(shown);

type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationsOf>['executeTakeFirstOrThrow']>>;

export const showInvitation = ({ id, email, role, status, expires_at }: InvitationRow) => ({
  id: showId('inv', id),
  email,
  role,
  status,
  expires_at: expires_at.toISOString(),
});
