import type { OperatorRight } from '../../contract/desk/operator-roles.ts';
import type { deskPages } from '../../contract/pages.ts';

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
} as const satisfies Record<keyof typeof deskPages, OperatorRight>;
