import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { deskPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/page/address.ts';
import { NotFound, PageFault } from '../ui/page/not-found.tsx';
import { DeskShell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault });
/** Everything is for operators, within the navigation. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: DeskShell });

const route = (page: keyof typeof deskPages, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => app, path: routePath(deskPages[page]), component });

const routes = [
  route(
    'queue',
    lazyRouteComponent(() => import('./queue/queue.tsx'), 'Queue'),
  ),
  route(
    'job',
    lazyRouteComponent(() => import('./job/job.tsx'), 'Job'),
  ),
  route(
    'accounts',
    lazyRouteComponent(() => import('./office/accounts.tsx'), 'Accounts'),
  ),
  route(
    'account',
    lazyRouteComponent(() => import('./office/account.tsx'), 'Account'),
  ),
  route(
    'workers',
    lazyRouteComponent(() => import('./office/workers.tsx'), 'Workers'),
  ),
  route(
    'payments',
    lazyRouteComponent(() => import('./office/payments.tsx'), 'Payments'),
  ),
  route(
    'figures',
    lazyRouteComponent(() => import('./office/figures.tsx'), 'Figures'),
  ),
  route(
    'audit',
    lazyRouteComponent(() => import('./office/audit.tsx'), 'Audit'),
  ),
];

export const router = createRouter({
  routeTree: root.addChildren([app.addChildren(routes)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});
