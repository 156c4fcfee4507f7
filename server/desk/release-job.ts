import type { Db } from '../db/pool.ts';
import type { HolderRequest } from './desk-move.ts';
import { holderMove } from './holder-move.ts';

const forAnyone = () => ({ operator_id: null });

/** Gives a held job back to the queue for anyone. */
export const releaseJob = (db: Db, request: HolderRequest) =>
  holderMove(db, request, 'release', { byLease: forAnyone, byOperator: forAnyone });
