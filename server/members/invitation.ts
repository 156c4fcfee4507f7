import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

export const status = sql<'pending' | 'accepted' | 'declined' | 'canceled' | 'expired'>`
  case when invitation.status = 'pending' and invitation.expires_at <= now() then 'expired' else invitation.status end`.as(
  'status',
);

const creatorName = sql<string>`(select u.name from people u where u.id = invitation.inviter_id)`.as('creator_name');

const shown = ['id', 'email', 'role', 'inviter_id', creatorName, 'created_at', 'expires_at', status] as const;

export const invitationsOf = (db: Db | Trx, accountId: string) =>
  db.selectFrom('invitations as invitation').where('account_id', '=', accountId).select(shown);

type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationsOf>['executeTakeFirstOrThrow']>>;

export const showInvitation = (row: InvitationRow) => ({
  id: showId('inv', row.id),
  email: row.email,
  role: row.role,
  status: row.status,
  created_by: { kind: 'user' as const, id: showId('user', row.inviter_id), name: row.creator_name },
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
