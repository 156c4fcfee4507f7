import { heldBy, sameLease } from '../jobs/hold.ts';
import type { Db } from '../db/pool.ts';
import type { HolderRequest } from './desk-move.ts';
import { holderMove } from './holder-move.ts';

/** Work begins. An operator takes an accepted job that nobody or a worker holds, such as a revision, by starting it. */
export const startJob = (db: Db, request: HolderRequest) =>
  holderMove(db, request, 'start', {
    byLease: sameLease,
    byOperator: (job, { userId }) => ({
      ...heldBy(userId),
      ...(job.operator_id === userId && job.held_since ? { held_since: job.held_since } : {}),
    }),
  });
