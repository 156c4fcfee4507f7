import { Refusal } from '../http/refusal.ts';
import type { Role } from '../../contract/plans/roles.ts';
import type { SessionCaller } from '../http/request.ts';
import { lastOwnerStays, type MemberRow } from './member.ts';

/** Only owners change who is an owner, and the last one stays. `role` is null for a removal. */
export function ownershipRefusal(
  caller: SessionCaller,
  { member, members }: { member: MemberRow; members: MemberRow[] },
  role: Role | null,
): Refusal | null {
  if (member.role !== 'owner' && role !== 'owner') return null;
  const owners = members.filter((row) => row.role === 'owner');
  // Uses the locked rows: the caller's role may have changed after `authorize`.
  if (!owners.some((owner) => owner.user_id === caller.userId))
    return new Refusal('role_required', {
      message: 'Only an owner can appoint or remove owners.',
      action: 'Ask an owner of the account.',
    });
  if (member.role === 'owner' && role !== 'owner' && owners.length === 1) return lastOwnerStays();
  return null;
}
