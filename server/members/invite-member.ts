import { sql } from 'kysely';
import type { inviteMember as endpoint } from '../../contract/people/invitations.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { newId, showId } from '../lib/id.ts';
import { badBody } from '../http/refusal.ts';
import { invitationsOf, showInvitation } from './invitation.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { queueMail } from '../mail/outbox.ts';
import { lockMembers } from './member.ts';
import { normalEmail } from '../sign-in/person.ts';

/** A new invitation replaces the pending one for the same address. */
export async function inviteMember(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const email = normalEmail(body.email);
  return withIdempotencyKey(db, request, async (trx) => {
    // Locked, so that an inviter who is being removed leaves no invitation behind and one address gets
    // one invitation.
    const members = await lockMembers(trx, caller);
    if (members.some((member) => member.email === email))
      throw badBody([{ location: '/email', message: 'already belongs to a member' }]);
    await trx
      .updateTable('invitations')
      .set({ status: 'canceled' })
      .where((eb) => eb.and({ account_id: caller.accountId, email, status: 'pending' }))
      .execute();
    const id = newId();
    await trx
      .insertInto('invitations')
      .values({
        id,
        account_id: caller.accountId,
        email,
        role: body.role,
        status: 'pending',
        inviter_id: caller.userId,
        expires_at: sql<Date>`now() + interval '48 hours'`,
      })
      .execute();
    const made = await invitationsOf(trx, caller.accountId).where('id', '=', id).executeTakeFirstOrThrow();
    const subject = showId('inv', id);
    const { accountId } = caller;
    await appendAudit(trx, cause, { action: 'invitation.created', subject, accountId, details: { role: body.role } });
    await queueMail(trx, { kind: 'invitation', address: email, data: { invitation_id: id } });
    return { status: 201, body: { invitation: showInvitation(made) } };
  });
}
