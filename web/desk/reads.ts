import { read, readPages, type Place, type Reads } from '../app/reads.ts';
import { jobReads } from './job/job.reads.ts';
import { auditReads } from './office/audit.reads.ts';
import { figuresReads } from './office/figures.reads.ts';
import { moneyReads, paymentsReads } from './office/money.reads.ts';
import { reportsReads } from './office/reports.reads.ts';
import { queueReads } from './queue/queue.reads.ts';
import { readStanding } from './read-standing.ts';
import { studioReads } from './studio/studio.reads.ts';

export const pageReads = {
  queue: queueReads,
  job: jobReads,
  accounts: ({ search: { q, standing: text } }: Place) => {
    const standing = readStanding(text);
    const query = { ...(q ? { q } : {}), ...(standing ? { standing } : {}), limit: 100 };
    return { accounts: readPages('listAccounts', { query }) };
  },
  account: ({ id, search: { from, to } }: Place) => ({
    account: read('readAccount', { path: { id } }),
    jobs: readPages('listQueue', {
      query: {
        account_id: id,
        ...(from ? { created_from: from } : {}),
        ...(to ? { created_to: to } : {}),
        sort: 'newest',
        limit: 50,
      },
    }),
  }),
  macros: () => ({ macros: read('listMacros') }),
  workers: () => ({
    keys: read('listWorkerKeys'),
    held: read('listQueue', { query: { holder: 'worker' } }),
    parked: read('listQueue', { query: { parked: true, sort: 'due', limit: 20 } }),
  }),
  money: moneyReads,
  payments: paymentsReads,
  figures: figuresReads,
  reports: reportsReads,
  audit: auditReads,
  operators: () => ({ operators: readPages('listOperators'), invitations: readPages('listOperatorInvitations') }),
  apps: () => ({ apps: readPages('listStudioApps') }),
  studio: studioReads,
  health: () => ({ health: read('readDeskHealth') }),
} satisfies Record<string, Reads>;
