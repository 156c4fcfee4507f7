import type { cancelInvitation as endpoint } from '../../contract/people/invitations.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { invitationsOf, showInvitation } from './invitation.ts';
import { type Db, transact } from '../db/pool.ts';

/** Idempotent. */
export async function cancelInvitation(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('inv', params.id);
  const row =
    id &&
    (await transact(db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('invitations')
        .set({ status: 'canceled' })
        .where((eb) => eb.and({ id, account_id: caller.accountId, status: 'pending' }))
        .executeTakeFirstOrThrow();
      const { accountId } = caller;
      if (numUpdatedRows === 1n)
        await appendAudit(trx, cause, { action: 'invitation.canceled', subject: params.id, accountId });
      return invitationsOf(trx, caller.accountId).where('id', '=', id).executeTakeFirst();
    }));
  if (!row)
    throw new Refusal('invitation_not_found', {
      message: 'There is no such invitation.',
      action: 'Check the invitation id; GET /api/auth/invitations lists the invitations of the account.',
    });
  if (row.status !== 'canceled')
    throw new Refusal('invalid_request', {
      message: `The invitation was already ${row.status}.`,
      action: 'Remove the member instead; GET /api/auth/members lists them.',
    });
  return { status: 200, body: { invitation: showInvitation(row) } };
}
