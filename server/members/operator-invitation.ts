import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { digestOf } from '../mail/mail-token.ts';

/** Open invitations. */
export const operatorInvitations = (db: Db | Trx) =>
  db
    .selectFrom('operator_invitations as invitation')
    .innerJoin('people as inviter', 'inviter.id', 'invitation.inviter_id')
    .where('invitation.expires_at', '>', sql<Date>`now()`)
    .select(['invitation.id', 'invitation.email', 'invitation.role', 'invitation.service_families'])
    .select(['invitation.held_limit', 'invitation.inviter_id', 'inviter.name as inviter_name'])
    .select(['invitation.created_at', 'invitation.expires_at']);

type Row = Awaited<ReturnType<ReturnType<typeof operatorInvitations>['executeTakeFirstOrThrow']>>;

export const showOffer = ({ role, inviter_id, inviter_name, expires_at }: Row) => ({
  role,
  created_by: { kind: 'user' as const, id: showId('user', inviter_id), name: inviter_name },
  expires_at: expires_at.toISOString(),
});

export const showOperatorInvitation = (row: Row) => ({
  id: showId('oinv', row.id),
  email: row.email,
  ...showOffer(row),
  service_families: row.service_families,
  held_limit: row.held_limit,
  created_at: row.created_at.toISOString(),
});

export const withToken = (db: Db | Trx, token: string) =>
  operatorInvitations(db).where('invitation.token_digest', '=', digestOf(token));

/** Unknown, used, canceled and expired tokens look alike. */
export const noOperatorInvitation = () =>
  new Refusal('invitation_not_found', {
    message: 'This invitation is not open.',
    action: 'Ask an owner of the studio to invite you again.',
  });

type Ended = {
  /** With `since`, only those made from then on. */
  by: { inviterId: string; since?: Date } | { id: string | null } | { email: string };
  because: 'canceled' | 'replaced' | 'inviter_ended';
};

/** Their links stop working. Returns the ids. */
export async function endOperatorInvitations(trx: Trx, { by, because }: Ended, cause: Cause): Promise<string[]> {
  const ended = await trx
    .deleteFrom('operator_invitations')
    .where((eb) => {
      if ('id' in by) return eb('id', '=', by.id);
      if ('email' in by) return eb('email', '=', by.email);
      const { inviterId, since = new Date(0) } = by;
      return eb.and([eb('inviter_id', '=', inviterId), eb('created_at', '>=', since)]);
    })
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => showId('oinv', id));
  const details = { because };
  const action = 'operator.invitation_canceled';
  await appendAudit(trx, cause, ...ids.map((subject) => ({ action, subject, accountId: null, details }) as const));
  return ids;
}
