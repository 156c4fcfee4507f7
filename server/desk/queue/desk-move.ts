import type { Static } from 'typebox';
import type { DeskJob } from '../../../contract/desk/job.ts';
import { canMove, type MoveName } from '../../../contract/moves.ts';
import { type KeyedRequest, withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { CallerOf } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { type JobRow, lockJob } from '../../jobs/job.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { findDeskRow, jobKeyOf, showDeskJob } from './desk-job.ts';

/** A job never changes its account, so the one that was read before the lock is right. */
export async function lockDeskJob(trx: Trx, id: string): Promise<JobRow> {
  const { account_id } = await jobKeyOf(trx, id);
  return lockJob(trx, account_id, id);
}

export function refuseUnlessMovable(job: JobRow, move: MoveName): void {
  if (!canMove(move, job.status))
    throw new Refusal('invalid_transition', { message: `A ${job.status} job does not allow ${move}.` });
}

type Shown = Static<typeof DeskJob>;
/** Answers with the job that moved. */
type Moves = (trx: Trx) => Promise<JobKey>;
type Moved = { status: 200; body: { job: Shown | { id: string } } };

/** Once per Idempotency-Key. The key remembers which job moved, so a repeat gets the job as it is now. */
export async function moveOnce(
  { db, graceHours }: { db: Db; graceHours: number },
  request: KeyedRequest & { caller: CallerOf<'desk'>; params: { id: string } },
  run: Moves,
): Promise<{ status: 200; body: { job: Shown } }> {
  const { caller, params } = request;
  const answer = await withIdempotencyKey<Moved>(db, request, async (trx) => {
    const row = await findDeskRow(trx, await run(trx), graceHours);
    const job = showDeskJob(row, caller);
    return { status: 200, body: { job }, repeat: { job: { id: job.id } }, accountId: row.account_id };
  });
  const { job } = answer.body;
  if ('status' in job) return { ...answer, body: { job } };
  const row = await findDeskRow(db, await jobKeyOf(db, params.id), graceHours);
  return { ...answer, body: { job: showDeskJob(row, caller) } };
}
