import type { heartbeatLease as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { extended } from '../../jobs/hold.ts';
import { setLease } from '../../jobs/move.ts';
import { showLease } from './desk-job.ts';
import { lockDeskJob } from './desk-move.ts';
import { isLastLease, refuseUnlessLive } from './lease.ts';
import { type Db, transact } from '../../db/pool.ts';

/** Renews the lease. After a cancellation, only the last holder learns of it. */
export async function heartbeatLease(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const token = body.lease_token;
  return transact(db, async (trx) => {
    const job = await lockDeskJob(trx, params.id);
    if (job.status === 'canceled' && isLastLease(caller, job, token))
      return { status: 200, body: { lease: null, cancel_requested: true } };
    const at = await refuseUnlessLive(trx, caller, job, token);
    const lease = showLease(await setLease(trx, job, extended(job, at)));
    return { status: 200, body: { lease, cancel_requested: false } };
  });
}
