import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import type { Person } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { status } from './invitation.ts';

export const receivedInvitations = (db: Db | Trx) =>
  db
    .selectFrom('invitations as invitation')
    .innerJoin('accounts as account', 'account.id', 'invitation.account_id')
    .innerJoin('people as inviter', 'inviter.id', 'invitation.inviter_id')
    .select(['invitation.id', 'invitation.account_id', 'invitation.email', 'invitation.role', 'invitation.expires_at'])
    .select(['invitation.inviter_id', 'invitation.created_at'])
    .select(['account.name as account_name', 'inviter.name as creator_name', status]);

export const openInvitationsOf = (db: Db, { email }: Person) =>
  receivedInvitations(db)
    .where('invitation.email', '=', email)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expires_at', '>', sql<Date>`now()`)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc');

type ReceivedRow = Awaited<ReturnType<ReturnType<typeof receivedInvitations>['executeTakeFirstOrThrow']>>;

export const showReceived = (row: ReceivedRow) => ({
  id: showId('inv', row.id),
  account_name: row.account_name,
  role: row.role,
  status: row.status,
  created_by: { kind: 'user' as const, id: showId('user', row.inviter_id), name: row.creator_name },
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

/** Only the invited person knows the id, so the refusal may say what to do. */
export function inviteeRefusal({ email, emailVerified }: Person, invited: string): Refusal | null {
  if (email !== invited)
    return new Refusal('invitation_not_found', {
      message: 'There is no open invitation with this id for your e-mail address.',
      action: 'Sign in with the address that was invited.',
    });
  return emailVerified ? null : new Refusal('email_unverified');
}

export const noInvitation = () => new Refusal('invitation_not_found');
