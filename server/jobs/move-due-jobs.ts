import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { MoveName } from '../../contract/moves.ts';
import type { Db } from '../db/pool.ts';
import { asRefusal } from '../http/failure.ts';
import { newRequestId } from '../lib/id.ts';
import type { JobRow } from './job.ts';
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
    const ids = await dueJobs(db, due.at);
    let moved = 0;
    for (const id of ids) {
      if (stopped.aborted) return;
      if (await moveOne(db, log, due, id)) moved++;
    }
    if (ids.length < pageSize || moved === 0) return;
  }
}

async function dueJobs(db: Db, at: Due['at']): Promise<string[]> {
  const rows = db
    .selectFrom('jobs')
    .select('id')
    .where(at, '<=', sql<Date>`now()`);
  return (await rows.orderBy(at).limit(pageSize).execute()).map(({ id }) => id);
}

async function moveOne(db: Db, log: FastifyBaseLogger, { move, at, changes }: Due, id: string): Promise<boolean> {
  const requestId = newRequestId();
  try {
    return await db.transaction().execute(async (trx) => {
      const free = trx
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where(at, '<=', sql<Date>`now()`);
      const job = await free.forUpdate().skipLocked().executeTakeFirst();
      if (!job) return false;
      await applyMove(trx, job as JobRow, move, { actor: 'service', requestId }, changes);
      return true;
    });
  } catch (error) {
    if (asRefusal(error)?.code === 'service_unavailable') throw error; // the database is away: no job would fare better
    log.error({ err: error, request_id: requestId, job: id }, `the move ${move} of a due job failed`);
    return false;
  }
}
