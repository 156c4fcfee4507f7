import { canMove, type MoveName } from '../../contract/moves.ts';
import type { Operator } from '../accounts/caller.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { applyMove, type JobChanges } from '../jobs/move.ts';
import type { Db, Trx } from '../kit/db.ts';
import { once } from '../kit/once.ts';
import { Refusal } from '../kit/refusal.ts';
import { findDeskJob } from './desk-job.ts';

export type DeskAsk = {
  caller: Operator;
  params: { id: string };
  body?: unknown;
  requestId: string;
  idempotencyKey: string | null;
};

/** The job of any account, locked until the transaction ends. */
export async function lockedDeskJob(trx: Trx, id: string): Promise<JobRow> {
  const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobUuid(id)).forUpdate().executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job as JobRow;
}

/** An operator's move, at most once per Idempotency-Key. `also` writes what the verb adds in the same transaction. */
export async function deskMove(
  db: Db,
  { caller, params, body, requestId, idempotencyKey }: DeskAsk,
  move: MoveName,
  also: (trx: Trx, job: JobRow) => Promise<JobChanges> | JobChanges = () => ({}),
) {
  const route = `POST /api/operator/v1/jobs/${params.id}/${move}`;
  return once(db, { ownerId: caller.userId, route, key: idempotencyKey, body }, async (trx) => {
    const job = await lockedDeskJob(trx, params.id);
    if (!canMove(move, job.status))
      throw new Refusal('invalid_transition', { message: `A job that is ${job.status} has no move ${move}.` });
    const changes = await also(trx, job);
    await applyMove(trx, job, move, { actor: 'operator', requestId }, changes);
    return { status: 200 as const, body: { job: (await findDeskJob(trx, params.id)).job } };
  });
}

/** Moves of the holder: a job that nobody holds is taken by making one; a job that another operator holds is not. */
export function asHolder(operator: Operator, job: JobRow): void {
  if (job.held_since !== null && job.operator_id !== operator.userId)
    throw new Refusal('invalid_transition', {
      message: `The job is ${job.status} and held by another operator.`,
      action: 'Ask the holder to release it, or choose another job.',
    });
}
