import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { deskPages } from '../../contract/pages.ts';
import { createAppRouter } from '../app/routes.tsx';
import { Empty } from '../ui/list/list.tsx';
import { PageHead } from '../ui/page/page.tsx';
import { framedPage } from '../ui/page/part.tsx';
import { pageRights, roleReason, useMay } from './may.ts';
import { pageReads } from './reads.ts';
import { DeskShell } from './shell.tsx';

type Page = FunctionComponent & { preload: () => Promise<void> };

/** The page, or who may read it. */
function forRole(name: keyof typeof pageRights, title: string, Page: Page) {
  const right = pageRights[name];
  const toQueue = (
    <Button component={Link} to={deskPages.queue} variant="default">
      Go to the queue
    </Button>
  );
  const closed = (
    <>
      <PageHead title={title} />
      <Empty action={toQueue}>{roleReason(right)}</Empty>
    </>
  );
  const Guarded = () => (useMay()(right) ? <Page /> : closed);
  return Object.assign(Guarded, { preload: Page.preload });
}

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
    health: forRole(
      'health',
      'Health',
      framedPage(() => import('./office/health.tsx'), 'Health'),
    ),
  },
  entry: {},
});
