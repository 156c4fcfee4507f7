import type { FastifyBaseLogger } from 'fastify';
import { moveDueJobs } from '../jobs/move-due-jobs.ts';
import type { Db } from '../db/pool.ts';

/** Returns jobs with expired leases to the queue. The fifth expiry parks the job. */
export const expireLeases = (db: Db, log: FastifyBaseLogger, stopped: AbortSignal): Promise<void> =>
  moveDueJobs(db, log, { move: 'expire', at: 'lease_expires_at', changes: { operator_id: null } }, stopped);
