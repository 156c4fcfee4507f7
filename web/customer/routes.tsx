import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/address.ts';
import { NotFound, PageFault } from '../ui/not-found.tsx';
import { CustomerShell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault });
/** Pages for signed-in people, within the navigation. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: CustomerShell });

const at = (path: keyof typeof customerPages) => routePath(customerPages[path]);

const entryRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: at('signIn'),
    component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
  }),
];

const appRoutes = [
  createRoute({
    getParentRoute: () => app,
    path: at('jobs'),
    component: lazyRouteComponent(() => import('./jobs.tsx'), 'Jobs'),
  }),
];

export const router = createRouter({
  routeTree: root.addChildren([...entryRoutes, app.addChildren(appRoutes)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});
