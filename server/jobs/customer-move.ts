import type { Static } from 'typebox';
import type { Job } from '../../contract/job.ts';
import type { CustomerAction } from '../../contract/moves.ts';
import type { Caller } from '../http/caller.ts';
import type { Db, Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { type JobRow, lockedJob, showJob, wholeJob } from './job.ts';
import { applyMove, type JobChanges } from './move.ts';

type Asked = {
  caller: Caller;
  params: { id: string };
  body?: unknown;
  requestId: string;
  idempotencyKey: string | null;
};
type Moved = { status: 200; body: { job: Static<typeof Job>; next_action: string } };

/**
 * A customer's move of a job of the account, at most once per Idempotency-Key. `judge` sees the locked job, throws the
 * refusal of its verb, and says what else changes and what to do next.
 */
export async function customerMove(
  db: Db,
  { caller, params, body, requestId, idempotencyKey }: Asked,
  move: CustomerAction,
  judge: (trx: Trx, job: JobRow) => Promise<{ next_action: string; changes?: JobChanges }>,
): Promise<Moved> {
  const route = `POST /api/v1/jobs/${params.id}/${move}`;
  return withIdempotencyKey(
    db,
    { owner: { accountId: caller.accountId }, route, key: idempotencyKey, body },
    async (trx) => {
      const job = await lockedJob(trx, caller.accountId, params.id);
      const { next_action, changes } = await judge(trx, job);
      await applyMove(trx, job, move, { actor: 'customer', requestId }, changes);
      return { status: 200, body: { job: showJob(await wholeJob(trx, job)), next_action } };
    },
  );
}
