import type { removeMember as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { holdMember, showMember } from './member.ts';
import { ownershipRefusal } from './ownership.ts';

/** Sessions need no word: `findPerson` asks for the membership with each request. */
export async function removeMember(
  db: Db,
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return db.transaction().execute(async (trx) => {
    const held = await holdMember(trx, caller, params.id);
    const refusal = ownershipRefusal(caller, held, null);
    if (refusal) throw refusal;
    await trx.deleteFrom('auth.member').where('id', '=', held.member.id).execute();
    // No way back in through an invitation of their own.
    await trx
      .updateTable('auth.invitation')
      .set({ status: 'canceled' })
      .where('account_id', '=', caller.accountId)
      .where('inviter_id', '=', held.member.user_id)
      .where('status', '=', 'pending')
      .execute();
    return { status: 200, body: { member: showMember(held.member) } };
  });
}
