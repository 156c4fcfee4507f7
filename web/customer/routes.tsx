import { customerPages } from '../../contract/pages.ts';
import { createAppRouter } from '../app/routes.tsx';
import { framedPage, pageOf } from '../ui/page/part.tsx';
import { pageReads } from './reads.ts';
import { CustomerShell } from './shell.tsx';

export const router = createAppRouter({
  paths: customerPages,
  reads: pageReads,
  frame: CustomerShell,
  framed: {
    home: framedPage(() => import('./jobs/home.tsx'), 'Home'),
    jobs: framedPage(() => import('./jobs/jobs.tsx'), 'Jobs'),
    newJob: framedPage(() => import('./ordering/new-job.tsx'), 'NewJob'),
    order: framedPage(() => import('./ordering/order.tsx'), 'Order'),
    job: framedPage(() => import('./jobs/job.tsx'), 'Job'),
    templates: framedPage(() => import('./ordering/templates.tsx'), 'Templates'),
    library: framedPage(() => import('./library/library.tsx'), 'Library'),
    concierge: framedPage(() => import('./ordering/concierge.tsx'), 'Concierge'),
    conversation: framedPage(() => import('./ordering/conversation.tsx'), 'Conversation'),
    settings: framedPage(() => import('./account/settings.tsx'), 'Settings'),
    usage: framedPage(() => import('./account/usage.tsx'), 'Usage'),
    plans: framedPage(() => import('./account/plans.tsx'), 'Plans'),
    brand: framedPage(() => import('./account/brand.tsx'), 'Brand'),
    members: framedPage(() => import('./account/members.tsx'), 'Members'),
    keys: framedPage(() => import('./developer/keys.tsx'), 'Keys'),
    webhooks: framedPage(() => import('./developer/webhooks.tsx'), 'Webhooks'),
    webhook: framedPage(() => import('./developer/webhook.tsx'), 'Webhook'),
  },
  entry: {
    signIn: pageOf(() => import('./entry/sign-in.tsx'), 'SignIn'),
    signUp: pageOf(() => import('./entry/sign-up.tsx'), 'SignUp'),
    forgotPassword: pageOf(() => import('./entry/forgot-password.tsx'), 'ForgotPassword'),
    resetPassword: pageOf(() => import('./entry/reset-password.tsx'), 'ResetPassword'),
    verifyEmail: pageOf(() => import('./entry/verify-email.tsx'), 'VerifyEmail'),
    invitation: pageOf(() => import('./entry/invitation.tsx'), 'Invitation'),
    operatorInvitation: pageOf(() => import('./entry/operator-invitation.tsx'), 'OperatorInvitation'),
    connect: pageOf(() => import('./entry/connect.tsx'), 'Connect'),
    device: pageOf(() => import('./entry/device.tsx'), 'Device'),
    changeEmail: pageOf(() => import('./entry/change-email.tsx'), 'ChangeEmail'),
    undoChange: pageOf(() => import('./entry/undo-change.tsx'), 'UndoChange'),
    unsubscribe: pageOf(() => import('./entry/unsubscribe.tsx'), 'Unsubscribe'),
    catalog: pageOf(() => import('./ordering/catalog.tsx'), 'Catalog'),
    files: pageOf(() => import('./library/files.tsx'), 'Files'),
    upload: pageOf(() => import('./entry/upload.tsx'), 'Upload'),
    guestReview: pageOf(() => import('./review/guest-review.tsx'), 'GuestReview'),
  },
});
