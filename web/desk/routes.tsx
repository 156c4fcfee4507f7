import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { deskPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/address.ts';
import { NotFound, PageFault } from '../ui/not-found.tsx';
import { PageHead } from '../ui/page.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault });

const queue = createRoute({
  getParentRoute: () => root,
  path: routePath(deskPages.queue),
  component: () => <PageHead title="Desk" />,
});

export const router = createRouter({ routeTree: root.addChildren([queue]), ...plainSearch });
