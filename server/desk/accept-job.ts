import { heldBy } from '../jobs/hold.ts';
import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorRequest } from './desk-move.ts';

/** Takes a queued job; the operator holds it from then on. */
export const acceptJob = (db: Db, request: OperatorRequest) =>
  deskMove(db, request, 'accept', () => heldBy(request.caller.userId));
