import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { claimJob as endpoint } from '../../contract/desk.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { canMove, parkedAfter } from '../../contract/moves.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import type { CallerOf } from '../http/caller.ts';
import { leasedTo } from '../jobs/hold.ts';
import type { JobRow } from '../jobs/job.ts';
import { applyMove, setLease } from '../jobs/move.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { announce } from '../db/transact.ts';
import { findDeskJob, showLease } from './desk-job.ts';
import { ownerOf } from './desk-move.ts';

/** Rolls the Idempotency-Key back: that there was nothing to do is not remembered. */
const nothingToDo = new Error('There is nothing to claim.');

/** Milliseconds between two looks for a job at least, so that a busy studio does not wake all workers with each event. */
const lookEvery = 250;

/** Gives the caller the next job that nobody holds, under a lease; with `wait`, as soon as there is one. */
export async function claimJob(
  parts: Pick<Context, 'db' | 'graceHours' | 'hub'>,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { ended, body } = request;
  const waited = new AbortController();
  const stop = () => waited.abort();
  const timer = setTimeout(stop, (body.wait ?? 0) * 1000);
  ended.addEventListener('abort', stop);
  try {
    const watch = parts.hub.watch(null, waited.signal);
    for (;;) {
      const claimed = await claimNext(parts, request);
      if (claimed.status !== 204 || !body.wait || waited.signal.aborted) return claimed;
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
async function claimNext(
  { db, graceHours }: Pick<Context, 'db' | 'graceHours'>,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { service_families = null, lease_seconds = 300 } = body;
  const holder = caller.method === 'session' ? { operator_id: caller.userId } : { worker_key_id: caller.keyId };
  try {
    return await withIdempotencyKey(db, ownerOf(caller), request, async (trx) => {
      const job = await nextJob(trx, caller, service_families);
      if (job === null) throw nothingToDo;
      if (canMove('accept', job.status)) await applyMove(trx, job, 'accept', cause);
      const lease = showLease(await setLease(trx, job, leasedTo(holder, lease_seconds)));
      announce(trx, job.account_id);
      const subject = showId('job', job.id);
      await appendAudit(trx, cause, { action: 'job.claimed', subject, accountId: job.account_id });
      return {
        status: 200 as const,
        body: { job: (await findDeskJob(trx, subject, caller, graceHours)).job, lease },
      };
    });
  } catch (error) {
    if (error === nothingToDo) return { status: 204, body: undefined };
    throw error;
  }
}

/**
 * The oldest job to be had, locked: revisions and returned jobs first, then the queue. A job that another claim has just
 * locked is passed over, so that claims do not wait for each other.
 */
async function nextJob(trx: Trx, caller: CallerOf<'desk'>, families: string[] | null): Promise<JobRow | null> {
  const allowed = caller.method === 'session' ? null : caller.serviceFamilies;
  const { rows } = await sql<JobRow>`
    select * from jobs
    where status in ('queued', 'accepted', 'running') and held_since is null
      and (lease_expiries < ${parkedAfter} or ${caller.method === 'session'})
      and (${families}::text[] is null or service_family = any(${families}::text[]))
      and (${allowed}::text[] is null or service_family = any(${allowed}::text[]))
    order by (status = 'queued'), created_at, id
    limit 1 for update skip locked`.execute(trx);
  return rows[0] ?? null;
}
