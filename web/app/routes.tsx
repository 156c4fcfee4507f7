import { Box, Button } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { plainSearch, routePath } from '../ui/page/address.ts';
import { empty } from '../ui/list/list.tsx';
import { Failure, Help } from '../ui/page/page.tsx';
import { operationQuery, queryClient } from './api.ts';
import { prefetch } from './read-queries.ts';
import type { Place, Reads } from './reads.ts';

type AppPages<Framed extends string, Entry extends string> = {
  paths: Record<NoInfer<Framed | Entry>, string>;
  frame: RouteComponent;
  framed: Record<Framed, RouteComponent>;
  reads: Record<NoInfer<Framed>, Reads>;
  entry: Record<Entry, RouteComponent>;
};

/** A fault of one page keeps the frame. */
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
        // On the open page its own queries run.
        if (cause !== 'stay') prefetchAll(app.reads[page], { id: '', ...params, search: location.search });
      },
    }),
  );
  const entry = pagesOf(app.entry).map(([page, component]) =>
    createRoute({ getParentRoute: () => root, path: routePath(app.paths[page]), component, errorComponent: AppFault }),
  );
  return createRouter({
    routeTree: root.addChildren([...entry, frame.addChildren(framed)]),
    // Hovering a link loads the page's files and reads.
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    ...plainSearch,
  });
}

const pagesOf = <Page extends string>(pages: Record<Page, RouteComponent>) =>
  Object.entries<RouteComponent>(pages) as [Page, RouteComponent][];

/** Not awaited. For the first page of a visit, `first-reads.ts` has started the reads. */
function prefetchAll(reads: Reads, place: Place): void {
  if (queryClient.getQueryData(operationQuery('readSession').queryKey) === undefined) return;
  for (const read of Object.values(reads(place))) if (read) void prefetch(read);
}

const NotFound = () => (
  <main className="page">
    <div className="stack" style={empty}>
      <Box component="h1" fz={16} fw={400}>
        There is no such page.
      </Box>
      <Button component="a" href="/">
        Go to the start
      </Button>
      <Help />
    </div>
  </main>
);

const PageFault = ({ error, reset }: ErrorComponentProps) => (
  <Failure error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
);

/** A fault of the frame, or of a page without one. */
const AppFault = (props: ErrorComponentProps) => (
  <main className="page">
    <PageFault {...props} />
  </main>
);
