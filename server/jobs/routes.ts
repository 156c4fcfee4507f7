import * as catalogue from '../../contract/ordering/catalog.ts';
import * as moves from '../../contract/jobs/job-moves.ts';
import * as jobs from '../../contract/jobs/jobs.ts';
import * as preflight from '../../contract/jobs/preflight.ts';
import { route } from '../http/handle.ts';
import { approveJob } from './approve-job.ts';
import { cancelJob } from './cancel-job.ts';
import { checkIntent } from './check-intent.ts';
import { countJobs } from './count-jobs.ts';
import { createJob } from './create-job.ts';
import { listJobEvents } from './list-job-events.ts';
import { listJobs } from './list-jobs.ts';
import { preflightJob } from './preflight-job.ts';
import { readJob } from './read-job.ts';
import { updateJob } from './update-job.ts';

export const jobRoutes = [
  route(checkIntent, catalogue.checkIntent),
  route(listJobs, jobs.listJobs),
  route(countJobs, jobs.countJobs),
  route(preflightJob, preflight.preflightJob),
  route(createJob, jobs.createJob),
  route(readJob, jobs.readJob),
  route(updateJob, jobs.updateJob),
  route(listJobEvents, jobs.listJobEvents),
  route(approveJob, moves.approveJob),
  route(cancelJob, moves.cancelJob),
];
