import { type Place, read, type Reads } from '../app/reads.ts';
import { usageReads } from './account/usage.reads.ts';
import { keysReads } from './developer/keys.reads.ts';
import { webhookReads } from './developer/webhook.reads.ts';
import { webhooksReads } from './developer/webhooks.reads.ts';
import { countsRead } from './frame.reads.ts';
import { jobsReads } from './jobs/jobs.reads.ts';
import { libraryReads } from './library/library.reads.ts';
import { conciergeReads } from './ordering/concierge.reads.ts';
import { conversationReads } from './ordering/conversation.reads.ts';
import { newJobReads } from './ordering/new-job.reads.ts';
import { orderReads } from './ordering/order.reads.ts';
import { templatesReads } from './ordering/templates.reads.ts';

export const pageReads = {
  home: () => ({
    counts: countsRead,
    yours: read('listJobs', { query: { status: ['ready_for_customer_review'], include: 'work', limit: 20 } }),
    waiting: read('listJobs', { query: { waiting_on: 'customer', include: 'work', limit: 20 } }),
    withStudio: read('listJobs', {
      query: { status: ['queued', 'accepted', 'running', 'needs_review'], include: 'work', limit: 20 },
    }),
    plans: read('listEntitlements'),
    invitations: read('listMyInvitations'),
  }),
  jobs: jobsReads,
  newJob: newJobReads,
  order: orderReads,
  job: ({ id }: Place) => ({
    job: read('readJob', { path: { id } }),
    thread: read('listMessages', { path: { id } }),
    brand: read('readJobBrand', { path: { id } }),
  }),
  templates: templatesReads,
  library: libraryReads,
  concierge: conciergeReads,
  conversation: conversationReads,
  settings: () => ({
    sessions: read('listSessions'),
    members: read('listMembers'),
    choices: read('readNotificationChoices'),
    apps: read('listMyConnectedApps'),
    calendar: read('readCalendar'),
  }),
  usage: usageReads,
  plans: () => ({ plans: read('listPlans'), own: read('listEntitlements') }),
  brand: () => ({ brand: read('readBrand') }),
  // Members may not see invitations, so the page reads them itself.
  members: () => ({ members: read('listMembers') }),
  keys: keysReads,
  webhooks: webhooksReads,
  webhook: webhookReads,
} satisfies Record<string, Reads>;
