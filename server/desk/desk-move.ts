import { canMove, type MoveName } from '../../contract/moves.ts';
import type { KeyOwner } from '../db/idempotency.ts';
import type { Trx } from '../db/pool.ts';
import type { CallerOf } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { findDeskJob } from './desk-job.ts';

/** Whose Idempotency-Keys they are. */
export const ownerOf = (caller: CallerOf<'desk'>): KeyOwner => ({
  deskCallerId: caller.method === 'session' ? caller.userId : caller.keyId,
});

/** The job of any account, locked until the transaction ends. */
export async function lockDeskJob(trx: Trx, id: string): Promise<JobRow> {
  const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobUuid(id)).forUpdate().executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job;
}

export function refuseUnlessMovable(job: JobRow, move: MoveName): void {
  if (!canMove(move, job.status))
    throw new Refusal('invalid_transition', { message: `A job that is ${job.status} has no move ${move}.` });
}

/** What a move answers: the job as its transaction leaves it. */
export async function answerMoved(trx: Trx, id: string, caller: CallerOf<'desk'>, graceHours: number) {
  const { job } = await findDeskJob(trx, id, caller, graceHours);
  return { status: 200 as const, body: { job } };
}
