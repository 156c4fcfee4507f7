/** The path of each page. The server serves exactly these. `:name` is one segment. */
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
  operatorInvitation: '/operator-invitation',
  catalog: '/catalog',
  guestReview: '/review',
  upload: '/upload',
  jobs: '/jobs',
  newJob: '/jobs/new',
  job: '/jobs/:id',
  order: '/orders/:id',
  concierge: '/concierge',
  conversation: '/concierge/:id',
  templates: '/templates',
  library: '/library',
  /** The address of the library before. */
  files: '/files',
  usage: '/usage',
  plans: '/plans',
  keys: '/keys',
  webhooks: '/webhooks',
  webhook: '/webhooks/:id',
  brand: '/brand',
  members: '/members',
  settings: '/settings',
  unsubscribe: '/unsubscribe',
  connect: '/connect',
  device: '/device',
} as const;

/** What a plan is asked for: a service as `family.type`, more files, or changes to a delivery. */
export type PlanPurpose = 'files' | 'revision' | `${string}.${string}`;

/** `by`: the kind of caller that the plan must serve, if not any. `account`: the id of the account. */
export const plansFor = (purpose: PlanPurpose, { by, account }: { by?: string | null; account: string }): string => {
  const search = new URLSearchParams({ for: purpose, ...(by ? { by } : {}), account });
  return `${customerPages.plans}?${search.toString()}`;
};

export const deskPages = {
  queue: '/desk',
  job: '/desk/jobs/:id',
  accounts: '/desk/accounts',
  account: '/desk/accounts/:id',
  macros: '/desk/macros',
  workers: '/desk/workers',
  money: '/desk/money',
  payments: '/desk/payments',
  figures: '/desk/figures',
  reports: '/desk/reports',
  audit: '/desk/audit',
  operators: '/desk/operators',
  apps: '/desk/apps',
  studio: '/desk/studio',
  health: '/desk/health',
} as const;
