import type { changeMemberRole as endpoint } from '../../contract/people/members.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Orders } from '../../contract/plans/entitlements.ts';
import { endsAuthority, type Role } from '../../contract/plans/roles.ts';
import { badBody } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { endAuthority } from './end-authority.ts';
import { refuseThief } from './joined-since.ts';
import { lockMember, showMember } from './member.ts';
import { ownershipRefusal } from './ownership.ts';
import type { Db } from '../db/pool.ts';

type Body = Request<typeof endpoint>['body'];

export async function changeMemberRole(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const { role: nextRole, orders: nextOrders, take_over = false } = request.body;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const locked = await lockMember(trx, caller, params.id);
    const { id, user_id: userId, role: before, orders: set } = locked.member;
    const role = nextRole ?? before;
    const refusal = nextRole === undefined ? null : ownershipRefusal(caller, locked, role);
    if (refusal) throw refusal;
    const orders = ordersAs(role, nextOrders ?? set, request.body);
    if (nextRole !== undefined && role !== 'owner')
      await refuseThief(trx, { accountId, userId, callerId: caller.userId });
    await trx.updateTable('members').set({ role, orders }).where('id', '=', id).execute();
    const heir = take_over && userId !== caller.userId ? caller.userId : null;
    const ended = endsAuthority(before, role)
      ? await endAuthority(trx, { accountId, userId, heir, stays: role }, cause)
      : { api_keys: [], webhook_endpoints: [], invitations: [] };
    const about = { subject: params.id, accountId, details: { role, orders, user_id: showId('user', userId) } };
    await appendAudit(
      trx,
      cause,
      ...(nextRole === undefined ? [] : [{ action: 'member.role_changed' as const, ...about }]),
      ...(nextOrders === undefined ? [] : [{ action: 'member.orders_changed' as const, ...about }]),
    );
    return { status: 200, body: { member: showMember({ ...locked.member, role, orders }), ...ended } };
  });
}

/** Only a plain member can be made to wait: owners and admins confirm, and reviewers order nothing. */
function ordersAs(role: Role, orders: Orders, body: Body): Orders {
  if (body.role === undefined && body.orders === undefined)
    throw badBody([{ location: '', message: 'must have role or orders' }]);
  if (role === 'member') return orders;
  if (body.orders === 'confirmed')
    throw badBody([{ location: '/orders', message: 'can be confirmed for plain members only' }]);
  return 'direct';
}
