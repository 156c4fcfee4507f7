import { sql } from 'kysely';
import type { Role } from '../../contract/plans/roles.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { lockCounters, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { queueMail } from '../mail/outbox.ts';
import { invitationsOf } from './invitation.ts';

type Invited = { accountId: string; email: string; role: Role; inviterId: string };

/** Replaces the pending invitation for the same address, and is mailed. The lock keeps a second one out. */
export async function makeInvitation(trx: Trx, { accountId, email, role, inviterId }: Invited, cause: Cause) {
  await lockCounters(trx, accountId);
  await trx
    .updateTable('invitations')
    .set({ status: 'canceled' })
    .where((eb) => eb.and({ account_id: accountId, email, status: 'pending' }))
    .execute();
  const id = newId();
  await trx
    .insertInto('invitations')
    .values({
      id,
      account_id: accountId,
      email,
      role,
      status: 'pending',
      inviter_id: inviterId,
      expires_at: sql<Date>`now() + interval '48 hours'`,
    })
    .execute();
  const subject = showId('inv', id);
  await appendAudit(trx, cause, { action: 'invitation.created', subject, accountId, details: { role } });
  await queueMail(trx, { kind: 'invitation', address: email, data: { invitation_id: id } });
  return invitationsOf(trx, accountId).where('id', '=', id).executeTakeFirstOrThrow();
}
