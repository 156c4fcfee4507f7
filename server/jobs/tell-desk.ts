import { type JobStatus, type MoveName, moves } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { settleMoved } from '../notifications/notification.ts';
import { tellHolder, tellReviewers } from '../notifications/tell-operators.ts';
import type { JobRow } from './job.ts';

/** Tells operators what a move means for them. `job` is as it was before. */
export async function tellDesk(trx: Trx, job: JobRow, move: MoveName, to: JobStatus, cause: Cause): Promise<void> {
  if (job.status === moves.return.to || job.status === moves.submit.to) await settleMoved(trx, job);
  if (move === 'return') await tellHolder(trx, job, cause, { kind: 'returned' });
  if (move === 'cancel') await tellHolder(trx, job, { userId: null }, { kind: 'canceled' });
  if (move === 'reject') await tellHolder(trx, job, cause, { kind: 'rejected_by_colleague' });
  if (move === 'release' && cause.actor === 'operator')
    await tellHolder(trx, job, cause, { kind: 'taken_over', state: 'released' });
  if (to === moves.submit.to) await tellReviewers(trx, job, cause);
}
