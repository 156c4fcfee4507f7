import { deskPages } from '../../contract/pages.ts';
import { createAppRouter } from '../app/routes.tsx';
import { framedPage } from '../ui/page/part.tsx';
import { forRole } from './for-role.tsx';
import { pageReads } from './reads.ts';
import { DeskShell } from './shell.tsx';

const Workers = framedPage(() => import('./office/workers.tsx'), 'Workers');
const Money = framedPage(() => import('./office/money.tsx'), 'Money');
const Payments = framedPage(() => import('./office/payments.tsx'), 'Payments');
const Audit = framedPage(() => import('./office/audit.tsx'), 'Audit');
const Operators = framedPage(() => import('./office/operators.tsx'), 'Operators');
const Apps = framedPage(() => import('./office/apps.tsx'), 'Apps');

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
    workers: forRole('workers', 'Workers', Workers),
    money: forRole('money', 'Money', Money),
    payments: forRole('payments', 'Payments', Payments),
    figures: framedPage(() => import('./office/figures.tsx'), 'Figures'),
    reports: framedPage(() => import('./office/reports.tsx'), 'Reports'),
    audit: forRole('audit', 'Audit log', Audit),
    operators: forRole('operators', 'Operators', Operators),
    apps: forRole('apps', 'Apps', Apps),
    studio: framedPage(() => import('./studio/studio.tsx'), 'Studio'),
  },
  entry: {},
});
