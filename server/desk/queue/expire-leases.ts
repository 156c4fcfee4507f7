import type { FastifyBaseLogger } from 'fastify';
import { moveDueJobs } from '../../jobs/move-due-jobs.ts';
import type { Db } from '../../db/pool.ts';

/** Returns how many jobs with expired leases went back to the queue. The fifth expiry parks the job. */
export const expireLeases = (db: Db, log: FastifyBaseLogger, stopped: AbortSignal): Promise<number> =>
  moveDueJobs(db, log, { move: 'expire', at: 'lease_expires_at', changes: { operator_id: null } }, stopped);
