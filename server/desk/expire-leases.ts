import type { FastifyBaseLogger } from 'fastify';
import { moveDueJobs } from '../jobs/move-due-jobs.ts';
import type { Db } from '../db/pool.ts';

/** Jobs whose holder was not heard of in time go back to the queue, for anyone. The fifth time parks them. */
export const expireLeases = (db: Db, log: FastifyBaseLogger, stopped: AbortSignal): Promise<void> =>
  moveDueJobs(db, log, { move: 'expire', at: 'lease_expires_at', changes: { operator_id: null } }, stopped);
