import { canMove, type MoveName } from '../../contract/moves.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { applyMove, type JobChanges } from '../jobs/move.ts';
import type { Db, Trx } from '../db/pool.ts';
import { type KeyOwner, withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { findDeskJob } from './desk-job.ts';

type DeskAsk<Caller extends CallerOf<'desk'>> = {
  caller: Caller;
  params: { id: string };
  body?: unknown;
  requestId: string;
  idempotencyKey: string | null;
};
/** Who asks for a move at the desk. */
export type OperatorRequest = DeskAsk<Operator>;
export type HolderRequest = DeskAsk<CallerOf<'desk'>> & { body: { lease_token?: string } };

/** How events name the caller. */
export const actorOf = (caller: CallerOf<'desk'>) => (caller.method === 'session' ? 'operator' : 'worker');

/** Whose Idempotency-Keys they are. */
export const ownerOf = (caller: CallerOf<'desk'>): KeyOwner => ({
  deskCallerId: caller.method === 'session' ? caller.userId : caller.keyId,
});

/** The job of any account, locked until the transaction ends. */
export async function lockedDeskJob(trx: Trx, id: string): Promise<JobRow> {
  const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobUuid(id)).forUpdate().executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job as JobRow;
}

type Also = (trx: Trx, job: JobRow) => Promise<JobChanges> | JobChanges;

/**
 * A move of the desk, at most once per Idempotency-Key. `also` writes what the verb adds in the same transaction; `may`
 * refuses who may not make the move, before it is asked whether the job has it.
 */
export async function deskMove(
  db: Db,
  { caller, params, body, requestId, idempotencyKey }: DeskAsk<CallerOf<'desk'>>,
  move: MoveName,
  also: Also = () => ({}),
  may: (trx: Trx, job: JobRow) => Promise<void> = async () => {},
) {
  const route = `POST /api/operator/v1/jobs/${params.id}/${move}`;
  return withIdempotencyKey(db, { owner: ownerOf(caller), route, key: idempotencyKey, body }, async (trx) => {
    const job = await lockedDeskJob(trx, params.id);
    await may(trx, job);
    if (!canMove(move, job.status))
      throw new Refusal('invalid_transition', { message: `A job that is ${job.status} has no move ${move}.` });
    const changes = await also(trx, job);
    await applyMove(trx, job, move, { actor: actorOf(caller), requestId }, changes);
    return { status: 200 as const, body: { job: (await findDeskJob(trx, params.id, caller)).job } };
  });
}
