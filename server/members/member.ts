import type { Db, Trx } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import { manages } from '../../contract/plans/roles.ts';
import { Refusal } from '../http/refusal.ts';
import type { SessionCaller } from '../http/request.ts';

export const membersOf = (db: Db | Trx, accountId: string) =>
  db
    .selectFrom('members as member')
    .innerJoin('people as user', 'user.id', 'member.user_id')
    .where('member.account_id', '=', accountId)
    .orderBy('member.created_at')
    .orderBy('member.id')
    .select([
      'member.id',
      'member.role',
      'member.orders',
      'member.created_at',
      'member.user_id',
      'user.name',
      'user.email',
    ]);

export type MemberRow = Awaited<ReturnType<ReturnType<typeof membersOf>['executeTakeFirstOrThrow']>>;

/** Checks the caller's authority again, which may have ended after `authorize`. */
export async function lockMembers(trx: Trx, { accountId, userId }: SessionCaller): Promise<MemberRow[]> {
  const members = await membersOf(trx, accountId).forUpdate('member').execute();
  const mayManage = members.some((row) => row.user_id === userId && manages(row.role));
  if (!mayManage) throw new Refusal('role_required');
  return members;
}

export async function lockMember(trx: Trx, caller: SessionCaller, id: string) {
  const members = await lockMembers(trx, caller);
  const uuid = readId('mem', id);
  const member = members.find((row) => row.id === uuid);
  if (!member) throw new Refusal('member_not_found');
  return { member, members };
}

export const lastOwnerStays = () =>
  new Refusal('invalid_request', {
    message: 'The last owner of an account cannot leave or be demoted.',
    action: 'Make another member an owner first.',
  });

export const showMember = ({ id, user_id, name, email, role, orders, created_at }: MemberRow) => ({
  id: showId('mem', id),
  user: { id: showId('user', user_id), name, email },
  role,
  orders: role === 'member' ? orders : ('direct' as const),
  created_at: created_at.toISOString(),
});
