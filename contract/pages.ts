/**
 * The path of each page. Plain data: the server serves exactly these and no other, the apps route by them, and mails link
 * to them. A `:name` is one segment.
 */
export const customerPages = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  changeEmail: '/change-email',
  undoChange: '/undo-change',
  invitation: '/invitations/:id',
  catalog: '/catalog',
  jobs: '/jobs',
  newJob: '/jobs/new',
  job: '/jobs/:id',
  concierge: '/concierge',
  conversation: '/concierge/:id',
  files: '/files',
  usage: '/usage',
  plans: '/plans',
  keys: '/keys',
  webhooks: '/webhooks',
  webhook: '/webhooks/:id',
  members: '/members',
  settings: '/settings',
} as const;

export const deskPages = {
  queue: '/desk',
  job: '/desk/jobs/:id',
  accounts: '/desk/accounts',
  account: '/desk/accounts/:id',
  workers: '/desk/workers',
  payments: '/desk/payments',
  figures: '/desk/figures',
  audit: '/desk/audit',
} as const;
