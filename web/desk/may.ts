import { holdersOf, may, type OperatorRight } from '../../contract/desk/operator-roles.ts';
import type { deskPages } from '../../contract/pages.ts';
import { useSession } from '../app/session/session.tsx';

/** What a role needs to read the page. */
export const pageRights = {
  queue: 'work',
  job: 'work',
  accounts: 'read_accounts',
  account: 'read_accounts',
  macros: 'work',
  workers: 'read_records',
  money: 'read_records',
  payments: 'read_records',
  figures: 'read_figures',
  reports: 'read_figures',
  audit: 'read_records',
  operators: 'manage_studio',
  apps: 'manage_studio',
  studio: 'work',
  health: 'manage_studio',
} as const satisfies Record<keyof typeof deskPages, OperatorRight>;

/** What the operator's role allows, by the table of the service. */
export function useMay(): (right: OperatorRight) => boolean {
  const { operator_role: role } = useSession().user;
  return (right) => role !== null && may(role, right);
}

export const roleReason = (right: OperatorRight): string => `This needs ${holdersOf(right)} of the studio.`;

/** Why the role does not allow it; null if it does. */
export const useRoleReason = (right: OperatorRight): string | null => (useMay()(right) ? null : roleReason(right));
