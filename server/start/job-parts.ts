import type { BusinessHours } from '../../contract/studio/business-time.ts';
import type { Db } from '../db/pool.ts';
import { type Admit, createAdmissionQueue } from '../jobs/admission-queue.ts';
import type { KeepOrder } from '../jobs/confirmation.ts';
import { createFindJob, type FindJob } from '../jobs/job.ts';
import { createReadJobPage, type ReadJobPage } from '../jobs/job-page.ts';
import { createKeepOrder } from '../orders/keep-order.ts';

/** What orders, finds and reads jobs. */
export type JobParts = { admit: Admit; keepOrder: KeepOrder; findJob: FindJob; readJobPage: ReadJobPage };

export const createJobParts = (
  db: Db,
  graceHours: number,
  catalog: { readonly businessHours: BusinessHours | null },
): JobParts => ({
  admit: createAdmissionQueue(db, graceHours, catalog),
  keepOrder: createKeepOrder(graceHours),
  findJob: createFindJob(db, graceHours),
  readJobPage: createReadJobPage(db, graceHours),
});
