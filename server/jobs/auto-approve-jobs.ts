import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { moveDueJobs } from './move-due-jobs.ts';

export const autoApproveJobs = async (db: Db, log: FastifyBaseLogger, stopped: AbortSignal): Promise<void> =>
  void (await moveDueJobs(db, log, { move: 'approve', at: 'review_due_at' }, stopped));
