import type { declineInvitation as endpoint } from '../../contract/people/invitations.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { inviteeRefusal, noInvitation, receivedInvitations, showReceived } from './received-invitation.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

/** Idempotent. */
export async function declineInvitation(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const id = readId('inv', params.id);
  return withIdempotencyKey(db, request, async (trx) => {
    if (id === null) throw noInvitation();
    const invitation = await receivedInvitations(trx)
      .where('invitation.id', '=', id)
      .forUpdate('invitation')
      .executeTakeFirst();
    if (!invitation || !['pending', 'declined'].includes(invitation.status)) throw noInvitation();
    const refusal = inviteeRefusal(caller, invitation.email);
    if (refusal) throw refusal;
    await trx.updateTable('invitations').set({ status: 'declined' }).where('id', '=', id).execute();
    const { account_id: accountId } = invitation;
    await appendAudit(trx, cause, { action: 'invitation.declined', subject: params.id, accountId });
    return { status: 200, body: { invitation: showReceived({ ...invitation, status: 'declined' }) }, accountId };
  });
}
