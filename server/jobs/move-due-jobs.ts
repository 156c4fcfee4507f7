import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { MoveName } from '../../contract/moves.ts';
import { type Db, transact } from '../db/pool.ts';
import { asRefusal } from '../http/failure.ts';
import { byService } from '../http/request.ts';
import type { JobKey } from './job-event.ts';
import type { JobChanges } from './job.ts';
import { applyMove } from './move.ts';

type DueMove = {
  move: MoveName;
  /** The column with the time at which a job becomes due, by the database clock. */
  at: 'lease_expires_at' | 'review_due_at';
  changes?: JobChanges;
};

const pageSize = 500;

/**
 * Returns how many jobs were moved. One transaction per job. Safe in several processes: skips locked jobs and
 * checks again.
 */
export async function moveDueJobs(
  db: Db,
  log: FastifyBaseLogger,
  move: DueMove,
  stopped: AbortSignal,
): Promise<number> {
  for (let all = 0; ;) {
    const jobs = await dueJobs(db, move.at);
    let moved = 0;
    for (const job of jobs) {
      if (stopped.aborted) return all + moved;
      if (await moveOne(db, log, move, job)) moved++;
    }
    all += moved;
    if (jobs.length < pageSize || moved === 0) return all;
  }
}

const dueJobs = (db: Db, at: DueMove['at']): Promise<JobKey[]> =>
  db
    .selectFrom('jobs')
    .select(['account_id', 'id'])
    .where(at, '<=', sql<Date>`now()`)
    .orderBy(at)
    .limit(pageSize)
    .execute();

async function moveOne(db: Db, log: FastifyBaseLogger, { move, at, changes }: DueMove, key: JobKey): Promise<boolean> {
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
    if (asRefusal(error)?.code === 'service_unavailable') throw error; // the database is away, so every other job would fail too
    log.error({ err: error, request_id: cause.requestId, job: key.id }, `the move ${move} of a due job failed`);
    return false;
  }
}
