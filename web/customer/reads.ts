import type { Reads } from '../app/reads.ts';
import { brandReads } from './account/brand.reads.ts';
import { membersReads } from './account/members.reads.ts';
import { plansReads } from './account/plans.reads.ts';
import { settingsReads } from './account/settings.reads.ts';
import { usageReads } from './account/usage.reads.ts';
import { keysReads } from './developer/keys.reads.ts';
import { webhookReads } from './developer/webhook.reads.ts';
import { webhooksReads } from './developer/webhooks.reads.ts';
import { filesReads } from './jobs/files.reads.ts';
import { homeReads } from './jobs/home.reads.ts';
import { jobReads } from './jobs/job.reads.ts';
import { jobsReads } from './jobs/jobs.reads.ts';
import { conciergeReads } from './ordering/concierge.reads.ts';
import { conversationReads } from './ordering/conversation.reads.ts';
import { newJobReads } from './ordering/new-job.reads.ts';
import { templatesReads } from './ordering/templates.reads.ts';

export const pageReads = {
  home: homeReads,
  jobs: jobsReads,
  newJob: newJobReads,
  job: jobReads,
  templates: templatesReads,
  files: filesReads,
  concierge: conciergeReads,
  conversation: conversationReads,
  settings: settingsReads,
  usage: usageReads,
  plans: plansReads,
  brand: brandReads,
  members: membersReads,
  keys: keysReads,
  webhooks: webhooksReads,
  webhook: webhookReads,
} satisfies Record<string, Reads>;
