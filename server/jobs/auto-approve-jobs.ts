import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { moveDueJobs } from './move-due-jobs.ts';

export const autoApproveJobs = (db: Db, log: FastifyBaseLogger, stopped: AbortSignal): Promise<void> =>
  moveDueJobs(db, log, { move: 'approve', at: 'review_due_at' }, stopped);
