import type { changeMemberRole as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { holdMember, showMember } from './member.ts';
import { ownershipRefusal } from './ownership.ts';

export async function changeMemberRole(
  db: Db,
  { caller, params, body: { role } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return db.transaction().execute(async (trx) => {
    const held = await holdMember(trx, caller, params.id);
    const refusal = ownershipRefusal(caller, held, role);
    if (refusal) throw refusal;
    await trx.updateTable('auth.member').set({ role }).where('id', '=', held.member.id).execute();
    return { status: 200, body: { member: showMember({ ...held.member, role }) } };
  });
}
