import type { removeMember as endpoint } from '../../contract/people/members.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Db, transact } from '../db/pool.ts';
import { endAuthority } from './end-authority.ts';
import { refuseThief } from './joined-since.ts';
import { lockMember, showMember } from './member.ts';
import { ownershipRefusal } from './ownership.ts';

/** Sessions need no change: `findPerson` checks the membership at each request. */
export async function removeMember(
  { db }: { db: Db },
  { caller, params, cause, body: { take_over = false } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  return transact(db, async (trx) => {
    const locked = await lockMember(trx, caller, params.id);
    const refusal = ownershipRefusal(caller, locked, null);
    if (refusal) throw refusal;
    const { id, user_id: userId } = locked.member;
    await refuseThief(trx, { accountId, userId, callerId: caller.userId });
    await trx.deleteFrom('members').where('id', '=', id).execute();
    const heir = take_over && userId !== caller.userId ? caller.userId : null;
    const ended = await endAuthority(trx, { accountId, userId, heir }, cause);
    const details = { user_id: showId('user', userId) };
    await appendAudit(trx, cause, { action: 'member.removed', subject: params.id, accountId, details });
    return { status: 200, body: { member: showMember(locked.member), ...ended } };
  });
}
