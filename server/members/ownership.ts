import { Refusal } from '../http/refusal.ts';
import type { Role } from '../../contract/entitlements.ts';
import type { SessionCaller } from '../http/caller.ts';
import { lastOwnerStays, type MemberRow } from './member.ts';

/** Only an owner makes or unmakes owners, and the last owner stays. `role` is the new one; null for a removal. */
export function ownershipRefusal(
  caller: SessionCaller,
  { member, members }: { member: MemberRow; members: MemberRow[] },
  role: Role | null,
): Refusal | null {
  if (member.role !== 'owner' && role !== 'owner') return null;
  const owners = members.filter((one) => one.role === 'owner');
  // From the held rows, because the caller may have been unmade since the authorize looked.
  if (!owners.some((owner) => owner.user_id === caller.userId))
    return new Refusal('role_required', {
      message: 'Only an owner makes or unmakes owners.',
      action: 'Ask an owner of the account.',
    });
  if (member.role === 'owner' && role !== 'owner' && owners.length === 1) return lastOwnerStays();
  return null;
}
