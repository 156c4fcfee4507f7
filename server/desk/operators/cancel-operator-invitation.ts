import type { cancelOperatorInvitation as endpoint } from '../../../contract/desk/operator-invitations.ts';
import { type Db, transact } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readId } from '../../lib/id.ts';
import {
  endOperatorInvitations,
  operatorInvitations,
  showOperatorInvitation,
} from '../../members/operator-invitation.ts';
import { refuseRemovedOperator } from './operator.ts';

export async function cancelOperatorInvitation(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('oinv', params.id);
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const row = await operatorInvitations(trx)
      .where('invitation.id', '=', id)
      .forUpdate('invitation')
      .executeTakeFirst();
    if (!row) throw notOpen();
    await endOperatorInvitations(trx, { by: { id }, because: 'canceled' }, cause);
    return { status: 200, body: { operator_invitation: showOperatorInvitation(row) } };
  });
}

const notOpen = () =>
  new Refusal('invitation_not_found', {
    action:
      'GET /api/operator/v1/operator-invitations lists the open ones. If it was accepted, remove the operator instead.',
  });
