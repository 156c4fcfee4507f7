import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { deskPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/page/address.ts';
import { AppFault, NotFound, PageFault } from '../ui/page/not-found.tsx';
import { framedPage } from '../ui/page/part.tsx';
import { DeskShell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: AppFault });
/** Everything is for operators, within the navigation. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: DeskShell });

/** A fault of a page leaves the frame. */
const route = (page: keyof typeof deskPages, component: FunctionComponent) =>
  createRoute({ getParentRoute: () => app, path: routePath(deskPages[page]), component, errorComponent: PageFault });

const routes = [
  route(
    'queue',
    framedPage(() => import('./queue/queue.tsx'), 'Queue'),
  ),
  route(
    'job',
    framedPage(() => import('./job/job.tsx'), 'Job'),
  ),
  route(
    'accounts',
    framedPage(() => import('./office/accounts.tsx'), 'Accounts'),
  ),
  route(
    'account',
    framedPage(() => import('./office/account.tsx'), 'Account'),
  ),
  route(
    'workers',
    framedPage(() => import('./office/workers.tsx'), 'Workers'),
  ),
  route(
    'payments',
    framedPage(() => import('./office/payments.tsx'), 'Payments'),
  ),
  route(
    'figures',
    framedPage(() => import('./office/figures.tsx'), 'Figures'),
  ),
  route(
    'audit',
    framedPage(() => import('./office/audit.tsx'), 'Audit'),
  ),
];

export const router = createRouter({
  routeTree: root.addChildren([app.addChildren(routes)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});
