import { heldBy } from '../jobs/hold.ts';
import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorAsk } from './desk-move.ts';

/** Takes a queued job; the operator holds it from then on. */
export const acceptJob = (db: Db, ask: OperatorAsk) => deskMove(db, ask, 'accept', () => heldBy(ask.caller.userId));
