import { deskPages } from '../../contract/pages.ts';
import { createAppRouter } from '../app/routes.tsx';
import { framedPage } from '../ui/page/part.tsx';
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
    workers: framedPage(() => import('./office/workers.tsx'), 'Workers'),
    payments: framedPage(() => import('./office/payments.tsx'), 'Payments'),
    figures: framedPage(() => import('./office/figures.tsx'), 'Figures'),
    audit: framedPage(() => import('./office/audit.tsx'), 'Audit'),
  },
  entry: {},
});
