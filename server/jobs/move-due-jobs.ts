import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { MoveName } from '../../contract/moves.ts';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { asRefusal } from '../http/failure.ts';
import { byService } from '../http/cause.ts';
import type { JobKey } from './job-event.ts';
import { applyMove, type JobChanges } from './move.ts';

type Due = {
  move: MoveName;
  /** The time that makes a job due once it has come, by the clock of the database. */
  at: 'lease_expires_at' | 'review_due_at';
  changes?: JobChanges;
};

/** Jobs looked up at a time. */
const pageSize = 500;

/**
 * The service makes a move on every job whose time has come, each in a transaction of its own: one that fails holds up no
 * other. A job that somebody has locked is left for the next run, and whether it is due is asked again under the lock, so
 * any number of processes may do this at once.
 */
export async function moveDueJobs(db: Db, log: FastifyBaseLogger, due: Due, stopped: AbortSignal): Promise<void> {
  for (;;) {
    const jobs = await dueJobs(db, due.at);
    let moved = 0;
    for (const job of jobs) {
      if (stopped.aborted) return;
      if (await moveOne(db, log, due, job)) moved++;
    }
    if (jobs.length < pageSize || moved === 0) return;
  }
}

const dueJobs = (db: Db, at: Due['at']): Promise<JobKey[]> =>
  db
    .selectFrom('jobs')
    .select(['account_id', 'id'])
    .where(at, '<=', sql<Date>`now()`)
    .orderBy(at)
    .limit(pageSize)
    .execute();

async function moveOne(db: Db, log: FastifyBaseLogger, { move, at, changes }: Due, key: JobKey): Promise<boolean> {
  const cause = byService();
  try {
    return await transact(db, async (trx) => {
      const unlocked = trx
        .selectFrom('jobs')
        .selectAll()
        .where('account_id', '=', key.account_id)
        .where('id', '=', key.id)
        .where(at, '<=', sql<Date>`now()`);
      const job = await unlocked.forUpdate().skipLocked().executeTakeFirst();
      if (!job) return false;
      await applyMove(trx, job, move, cause, changes);
      return true;
    });
  } catch (error) {
    if (asRefusal(error)?.code === 'service_unavailable') throw error; // the database is away: no job would fare better
    log.error({ err: error, request_id: cause.requestId, job: key.id }, `the move ${move} of a due job failed`);
    return false;
  }
}
