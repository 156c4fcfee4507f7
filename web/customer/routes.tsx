import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/address.ts';
import { NotFound, PageFault } from '../ui/not-found.tsx';
import { CustomerShell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault });
/** Pages for signed-in people, within the navigation. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: CustomerShell });

type Module = Record<string, unknown>;

/** A page of its own file, fetched when it is visited or about to be. */
const page = (
  parent: typeof root | typeof app,
  path: keyof typeof customerPages,
  load: () => Promise<Module>,
  name: string,
) =>
  createRoute({
    getParentRoute: () => parent as typeof root,
    path: routePath(customerPages[path]),
    component: lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name),
  });

const entryRoutes = [
  page(root, 'signIn', () => import('./sign-in.tsx'), 'SignIn'),
  page(root, 'signUp', () => import('./sign-up.tsx'), 'SignUp'),
  page(root, 'forgotPassword', () => import('./forgot-password.tsx'), 'ForgotPassword'),
  page(root, 'resetPassword', () => import('./reset-password.tsx'), 'ResetPassword'),
  page(root, 'verifyEmail', () => import('./verify-email.tsx'), 'VerifyEmail'),
  page(root, 'invitation', () => import('./invitation.tsx'), 'Invitation'),
  page(root, 'changeEmail', () => import('./change-email.tsx'), 'ChangeEmail'),
  page(root, 'catalog', () => import('./catalog.tsx'), 'Catalog'),
];

const appRoutes = [
  page(app, 'home', () => import('./home.tsx'), 'Home'),
  page(app, 'jobs', () => import('./jobs.tsx'), 'Jobs'),
  page(app, 'newJob', () => import('./new-job.tsx'), 'NewJob'),
  page(app, 'job', () => import('./job.tsx'), 'Job'),
  page(app, 'files', () => import('./files.tsx'), 'Files'),
  page(app, 'concierge', () => import('./concierge.tsx'), 'Concierge'),
  page(app, 'conversation', () => import('./conversation.tsx'), 'Conversation'),
  page(app, 'settings', () => import('./settings.tsx'), 'Settings'),
  page(app, 'usage', () => import('./usage.tsx'), 'Usage'),
  page(app, 'plans', () => import('./plans.tsx'), 'Plans'),
  page(app, 'members', () => import('./members.tsx'), 'Members'),
  page(app, 'keys', () => import('./keys.tsx'), 'Keys'),
  page(app, 'webhooks', () => import('./webhooks.tsx'), 'Webhooks'),
  page(app, 'webhook', () => import('./webhook.tsx'), 'Webhook'),
];

export const router = createRouter({
  routeTree: root.addChildren([...entryRoutes, app.addChildren(appRoutes)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});
