import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { plainSearch, routePath } from '../ui/page/address.ts';
import { AppFault, NotFound, PageFault } from '../ui/page/not-found.tsx';
import { framedPage, pageOf } from '../ui/page/part.tsx';
import { CustomerShell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: AppFault });
/** Pages for signed-in people, within the navigation. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: CustomerShell });

/** A page of its own file, fetched when it is visited or about to be. A fault of it leaves the frame. */
const page = <Name extends string>(
  parent: typeof root | typeof app,
  path: keyof typeof customerPages,
  load: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => parent as typeof root,
    path: routePath(customerPages[path]),
    component: parent === app ? framedPage(load, name) : pageOf(load, name),
    errorComponent: parent === app ? PageFault : AppFault,
  });

const entryRoutes = [
  page(root, 'signIn', () => import('./entry/sign-in.tsx'), 'SignIn'),
  page(root, 'signUp', () => import('./entry/sign-up.tsx'), 'SignUp'),
  page(root, 'forgotPassword', () => import('./entry/forgot-password.tsx'), 'ForgotPassword'),
  page(root, 'resetPassword', () => import('./entry/reset-password.tsx'), 'ResetPassword'),
  page(root, 'verifyEmail', () => import('./entry/verify-email.tsx'), 'VerifyEmail'),
  page(root, 'invitation', () => import('./entry/invitation.tsx'), 'Invitation'),
  page(root, 'changeEmail', () => import('./entry/change-email.tsx'), 'ChangeEmail'),
  page(root, 'undoChange', () => import('./entry/undo-change.tsx'), 'UndoChange'),
  page(root, 'catalog', () => import('./ordering/catalog.tsx'), 'Catalog'),
];

const appRoutes = [
  page(app, 'home', () => import('./jobs/home.tsx'), 'Home'),
  page(app, 'jobs', () => import('./jobs/jobs.tsx'), 'Jobs'),
  page(app, 'newJob', () => import('./ordering/new-job.tsx'), 'NewJob'),
  page(app, 'job', () => import('./jobs/job.tsx'), 'Job'),
  page(app, 'files', () => import('./jobs/files.tsx'), 'Files'),
  page(app, 'concierge', () => import('./ordering/concierge.tsx'), 'Concierge'),
  page(app, 'conversation', () => import('./ordering/conversation.tsx'), 'Conversation'),
  page(app, 'settings', () => import('./account/settings.tsx'), 'Settings'),
  page(app, 'usage', () => import('./account/usage.tsx'), 'Usage'),
  page(app, 'plans', () => import('./account/plans.tsx'), 'Plans'),
  page(app, 'members', () => import('./account/members.tsx'), 'Members'),
  page(app, 'keys', () => import('./developer/keys.tsx'), 'Keys'),
  page(app, 'webhooks', () => import('./developer/webhooks.tsx'), 'Webhooks'),
  page(app, 'webhook', () => import('./developer/webhook.tsx'), 'Webhook'),
];

export const router = createRouter({
  routeTree: root.addChildren([...entryRoutes, app.addChildren(appRoutes)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});
