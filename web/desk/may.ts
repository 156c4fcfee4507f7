import { holdersOf, may, type OperatorRight } from '../../contract/desk/operator-roles.ts';
import { useSession } from '../app/session/session.tsx';

/** What the operator's role allows, by the table of the service. */
export function useMay(): (right: OperatorRight) => boolean {
  const { operator_role: role } = useSession().user;
  return (right) => role !== null && may(role, right);
}

export const roleReason = (right: OperatorRight): string => `This needs ${holdersOf(right)} of the studio.`;

/** Why the role does not allow it; null if it does. */
export function useRoleReason(right: OperatorRight): string | null {
  return useMay()(right) ? null : roleReason(right);
}
