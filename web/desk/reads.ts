import type { Reads } from '../app/reads.ts';
import { jobReads } from './job/job.reads.ts';
import { accountReads } from './office/account.reads.ts';
import { accountsReads } from './office/accounts.reads.ts';
import { appsReads } from './office/apps.reads.ts';
import { auditReads } from './office/audit.reads.ts';
import { figuresReads } from './office/figures.reads.ts';
import { macrosReads } from './office/macros.reads.ts';
import { moneyReads } from './office/money.reads.ts';
import { operatorsReads } from './office/operators.reads.ts';
import { paymentsReads } from './office/payments.reads.ts';
import { workersReads } from './office/workers.reads.ts';
import { reportsReads } from './office/reports.reads.ts';
import { queueReads } from './queue/queue.reads.ts';
import { studioReads } from './studio/studio.reads.ts';

export const pageReads = {
  queue: queueReads,
  job: jobReads,
  accounts: accountsReads,
  account: accountReads,
  macros: macrosReads,
  workers: workersReads,
  money: moneyReads,
  payments: paymentsReads,
  figures: figuresReads,
  reports: reportsReads,
  audit: auditReads,
  operators: operatorsReads,
  apps: appsReads,
  studio: studioReads,
} satisfies Record<string, Reads>;
