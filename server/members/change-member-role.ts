import type { changeMemberRole as endpoint } from '../../contract/people/members.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { endAuthority } from './end-authority.ts';
import { refuseThief } from './joined-since.ts';
import { lockMember, showMember } from './member.ts';
import { ownershipRefusal } from './ownership.ts';
import type { Db } from '../db/pool.ts';

export async function changeMemberRole(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const { role, take_over = false } = request.body;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const locked = await lockMember(trx, caller, params.id);
    const refusal = ownershipRefusal(caller, locked, role);
    if (refusal) throw refusal;
    const { id, user_id: userId } = locked.member;
    if (role !== 'owner') await refuseThief(trx, { accountId, userId, callerId: caller.userId });
    await trx.updateTable('members').set({ role }).where('id', '=', id).execute();
    const heir = take_over && userId !== caller.userId ? caller.userId : null;
    const ended =
      role === 'member'
        ? await endAuthority(trx, { accountId, userId, heir, stays: true }, cause)
        : { api_keys: [], webhook_endpoints: [], invitations: [] };
    const details = { role, user_id: showId('user', userId) };
    await appendAudit(trx, cause, { action: 'member.role_changed', subject: params.id, accountId, details });
    return { status: 200, body: { member: showMember({ ...locked.member, role }), ...ended } };
  });
}
