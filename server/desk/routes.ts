import * as deliverables from '../../contract/deliverables.ts';
import * as desk from '../../contract/desk.ts';
import * as deskAccounts from '../../contract/desk-accounts.ts';
import * as figures from '../../contract/figures.ts';
import * as queue from '../../contract/queue.ts';
import { route } from '../http/handle.ts';
import { acceptJob } from './accept-job.ts';
import { addNote } from './add-note.ts';
import { claimJob } from './claim-job.ts';
import { completeDeliverable } from './complete-deliverable.ts';
import { countQueue } from './count-queue.ts';
import { downloadJobFile } from './download-job-file.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import { holdJob } from './hold-job.ts';
import { listAccounts } from './list-accounts.ts';
import { listOperators } from './list-operators.ts';
import { listQueue } from './list-queue.ts';
import { openJobFile } from './open-job-file.ts';
import { passJob } from './pass-job.ts';
import { presignDeliverable } from './presign-deliverable.ts';
import { readAccount } from './read-account.ts';
import { readDeskJob } from './read-desk-job.ts';
import { readFigures } from './read-figures.ts';
import { rejectJob } from './reject-job.ts';
import { releaseJob } from './release-job.ts';
import { returnJob } from './return-job.ts';
import { startJob } from './start-job.ts';
import { streamQueue } from './stream-queue.ts';
import { submitJob } from './submit-job.ts';

export const deskRoutes = [
  route(listQueue, queue.listQueue),
  route(countQueue, queue.countQueue),
  route(streamQueue, queue.streamQueue),
  route(readDeskJob, desk.readDeskJob),
  route(addNote, desk.addNote),
  route(claimJob, desk.claimJob),
  route(heartbeatLease, desk.heartbeatLease),
  route(acceptJob, desk.acceptJob),
  route(startJob, desk.startJob),
  route(submitJob, desk.submitJob),
  route(passJob, desk.passJob),
  route(returnJob, desk.returnJob),
  route(rejectJob, desk.rejectJob),
  route(releaseJob, desk.releaseJob),
  route(holdJob, desk.holdJob),
  route(presignDeliverable, deliverables.presignDeliverable),
  route(completeDeliverable, deliverables.completeDeliverable),
  route(downloadJobFile, deliverables.downloadJobFile),
  route(openJobFile, deliverables.openJobFile),
  route(listAccounts, deskAccounts.listAccounts),
  route(readAccount, deskAccounts.readAccount),
  route(listOperators, deskAccounts.listOperators),
  route(readFigures, figures.readFigures),
];
