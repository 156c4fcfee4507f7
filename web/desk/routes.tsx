import { deskPages } from '../../contract/pages.ts';
import { createAppRouter } from '../app/routes.tsx';
import { framedPage } from '../ui/page/part.tsx';
import { forRole } from './for-role.tsx';
import { pageReads } from './reads.ts';
import { DeskShell } from './shell.tsx';

export const router = createAppRouter({
  paths: deskPages,
  reads: pageReads,
  frame: DeskShell,
  framed: {
    queue: framedPage(() => import('./queue/queue.tsx'), 'Queue'),
    job: framedPage(() => import('./job/job.tsx'), 'Job'),
    accounts: framedPage(() => import('./office/accounts.tsx'), 'Accounts'),
    account: framedPage(() => import('./office/account.tsx'), 'Account'),
    macros: framedPage(() => import('./office/macros.tsx'), 'Macros'),
    workers: forRole(
      'workers',
      'Workers',
      framedPage(() => import('./office/workers.tsx'), 'Workers'),
    ),
    money: forRole(
      'money',
      'Money',
      framedPage(() => import('./office/money.tsx'), 'Money'),
    ),
    payments: forRole(
      'payments',
      'Payments',
      framedPage(() => import('./office/payments.tsx'), 'Payments'),
    ),
    figures: framedPage(() => import('./office/figures.tsx'), 'Figures'),
    reports: framedPage(() => import('./office/reports.tsx'), 'Reports'),
    audit: forRole(
      'audit',
      'Audit log',
      framedPage(() => import('./office/audit.tsx'), 'Audit'),
    ),
    operators: forRole(
      'operators',
      'Operators',
      framedPage(() => import('./office/operators.tsx'), 'Operators'),
    ),
    apps: forRole(
      'apps',
      'Apps',
      framedPage(() => import('./office/apps.tsx'), 'Apps'),
    ),
    studio: framedPage(() => import('./studio/studio.tsx'), 'Studio'),
  },
  entry: {},
});
