import * as queue from '../contract/queue.ts';
import * as figures from '../contract/figures.ts';
import * as audit from '../contract/audit.ts';
import * as desk from '../contract/desk.ts';
import * as deliverables from '../contract/deliverables.ts';
import * as deskAccounts from '../contract/desk-accounts.ts';
import * as workers from '../contract/workers.ts';
import { listAudit } from './audit/list-audit.ts';
import { acceptJob } from './desk/accept-job.ts';
import { addNote } from './desk/add-note.ts';
import { claimJob } from './desk/claim-job.ts';
import { completeDeliverable } from './desk/complete-deliverable.ts';
import { countQueue } from './desk/count-queue.ts';
import { createWorkerKey } from './keys/create-worker-key.ts';
import { deleteWorkerKey } from './keys/delete-worker-key.ts';
import { downloadJobFile } from './desk/download-job-file.ts';
import { heartbeatLease } from './desk/heartbeat-lease.ts';
import { holdJob } from './desk/hold-job.ts';
import { listAccounts } from './desk/list-accounts.ts';
import { listOperators } from './desk/list-operators.ts';
import { listQueue } from './desk/list-queue.ts';
import { listWorkerKeys } from './keys/list-worker-keys.ts';
import { openJobFile } from './desk/open-job-file.ts';
import { passJob } from './desk/pass-job.ts';
import { presignDeliverable } from './desk/presign-deliverable.ts';
import { readAccount } from './desk/read-account.ts';
import { readDeskJob } from './desk/read-desk-job.ts';
import { readFigures } from './desk/read-figures.ts';
import { rejectJob } from './desk/reject-job.ts';
import { releaseJob } from './desk/release-job.ts';
import { returnJob } from './desk/return-job.ts';
import { startJob } from './desk/start-job.ts';
import { submitJob } from './desk/submit-job.ts';
import type { Context } from './context.ts';
import type { handler } from './http/handle.ts';

/** Offers an endpoint by its verb. */
export type Handle = ReturnType<typeof handler<Context>>;

/** The desk's part, for operators and workers. */
export function offerDesk(handle: Handle): void {
  handle(queue.listQueue, listQueue);
  handle(queue.countQueue, countQueue);
  handle(desk.readDeskJob, readDeskJob);
  handle(desk.addNote, addNote);
  handle(desk.claimJob, claimJob);
  handle(desk.heartbeatLease, heartbeatLease);
  handle(desk.acceptJob, acceptJob);
  handle(desk.startJob, startJob);
  handle(desk.submitJob, submitJob);
  handle(desk.passJob, passJob);
  handle(desk.returnJob, returnJob);
  handle(desk.rejectJob, rejectJob);
  handle(desk.releaseJob, releaseJob);
  handle(desk.holdJob, holdJob);
  handle(deliverables.presignDeliverable, presignDeliverable);
  handle(deliverables.completeDeliverable, completeDeliverable);
  handle(deliverables.downloadJobFile, downloadJobFile);
  handle(deliverables.openJobFile, openJobFile);
  handle(deskAccounts.listAccounts, listAccounts);
  handle(deskAccounts.readAccount, readAccount);
  handle(deskAccounts.listOperators, listOperators);
  handle(figures.readFigures, readFigures);
  handle(audit.listAudit, listAudit);
  handle(workers.listWorkerKeys, listWorkerKeys);
  handle(workers.createWorkerKey, createWorkerKey);
  handle(workers.deleteWorkerKey, deleteWorkerKey);
}
