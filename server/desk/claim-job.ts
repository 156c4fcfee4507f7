import { setTimeout as pause } from 'node:timers/promises';
import type { claimJob as endpoint } from '../../contract/desk.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { CallerOf } from '../http/caller.ts';
import type { Request } from '../http/request.ts';
import { type Claimed, claimTogether, type ClaimNext } from './claim-queue.ts';
import { showDeskJob, showLease } from './desk-job.ts';
import { ownerOf } from './desk-move.ts';
import type { Db } from '../db/pool.ts';
import type { Hub } from '../events/hub.ts';

/** Rolls the Idempotency-Key back: that there was nothing to do is not remembered. */
const nothingToDo = new Error('There is nothing to claim.');

/** Milliseconds between two looks for a job at least, so that a busy studio does not wake all workers with each event. */
const lookEvery = 250;

/** Gives the caller the next job that nobody holds, under a lease; with `wait`, as soon as there is one. */
export async function claimJob(
  parts: { db: Db; claimNext: ClaimNext; graceHours: number; hub: Hub },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { ended, body } = request;
  if (!body.wait) return claimOnce(parts, request);
  const waited = new AbortController();
  const stop = () => waited.abort();
  const timer = setTimeout(stop, body.wait * 1000);
  ended.addEventListener('abort', stop);
  try {
    const watch = parts.hub.watch(null, waited.signal);
    for (;;) {
      const claimed = await claimOnce(parts, request);
      if (claimed.status !== 204 || waited.signal.aborted) return claimed;
      await pause(lookEvery);
      await watch.next();
      if (ended.aborted) return claimed; // a job would be leased to nobody
    }
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Only a queued job changes status by it. */
async function claimOnce(
  { db, claimNext, graceHours }: { db: Db; claimNext: ClaimNext; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause, idempotencyKey } = request;
  const { service_families: families = null, lease_seconds: leaseSeconds = 300 } = body;
  const claim = { caller, families, leaseSeconds, cause };
  if (idempotencyKey === null) return answerClaimed(await claimNext(claim), caller);
  try {
    return await withIdempotencyKey(db, ownerOf(caller), request, async (trx) => {
      const [claimed] = await claimTogether(trx, [claim], graceHours);
      if (!claimed) throw nothingToDo;
      return answerClaimed(claimed, caller);
    });
  } catch (error) {
    if (error === nothingToDo) return answerClaimed(null, caller);
    throw error;
  }
}

const answerClaimed = (claimed: Claimed, caller: CallerOf<'desk'>): AnswerOf<typeof endpoint> =>
  claimed
    ? { status: 200, body: { job: showDeskJob(claimed, caller), lease: showLease(claimed) } }
    : { status: 204, body: undefined };
