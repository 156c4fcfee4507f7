import type { CallerOf } from '../http/caller.ts';
import type { JobRow } from '../jobs/job.ts';
import type { Trx } from '../db/pool.ts';
import { refuseUnlessLive, refuseWorkerWithout } from './holder-move.ts';

/** Files of a job are for operators, and for the worker that holds it: a lease token, once sent, must be of a live lease. */
export async function refuseUnlessHolding(
  trx: Trx,
  caller: CallerOf<'desk'>,
  job: JobRow,
  token: string | undefined,
): Promise<void> {
  refuseWorkerWithout(caller, token);
  if (token !== undefined) await refuseUnlessLive(trx, caller, job, token);
}
