import { createRootRoute, createRoute, createRouter, Outlet, type RouteComponent } from '@tanstack/react-router';
import { plainSearch, routePath } from '../ui/page/address.ts';
import { AppFault, NotFound, PageFault } from '../ui/page/not-found.tsx';
import { operationQuery, queryClient } from './api.ts';
import { prefetch } from './read-queries.ts';
import type { Place, Reads } from './reads.ts';

type AppPages<Framed extends string, Entry extends string> = {
  paths: Record<NoInfer<Framed | Entry>, string>;
  /** The frame of pages for signed-in people. */
  frame: RouteComponent;
  framed: Record<Framed, RouteComponent>;
  reads: Record<NoInfer<Framed>, Reads>;
  /** Pages without the frame. */
  entry: Record<Entry, RouteComponent>;
};

/** The pages of an app. A fault of a page leaves the frame. */
export function createAppRouter<Framed extends string, Entry extends string>(app: AppPages<Framed, Entry>) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: AppFault });
  const frame = createRoute({ getParentRoute: () => root, id: 'app', component: app.frame });
  const framed = pagesOf(app.framed).map(([page, component]) =>
    createRoute({
      getParentRoute: () => frame,
      path: routePath(app.paths[page]),
      component,
      errorComponent: PageFault,
      loader: ({ params, location, cause }) => {
        // Where the page is open already its own queries ask.
        if (cause !== 'stay') prefetchAll(app.reads[page], { id: '', ...params, search: location.search });
      },
    }),
  );
  const entry = pagesOf(app.entry).map(([page, component]) =>
    createRoute({ getParentRoute: () => root, path: routePath(app.paths[page]), component, errorComponent: AppFault }),
  );
  return createRouter({
    routeTree: root.addChildren([...entry, frame.addChildren(framed)]),
    // A link that is pointed at fetches the files of its page, and what the page reads.
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    ...plainSearch,
  });
}

const pagesOf = <Page extends string>(pages: Record<Page, RouteComponent>) =>
  Object.entries<RouteComponent>(pages) as [Page, RouteComponent][];

/** Nobody waits for it. The first page of a visit is not prefetched: `first-reads.ts` has asked for it. */
function prefetchAll(reads: Reads, place: Place): void {
  if (queryClient.getQueryData(operationQuery('readSession').queryKey) === undefined) return;
  for (const read of Object.values(reads(place))) if (read) void prefetch(read);
}
