import type { Db } from '../kit/db.ts';
import { asHolder, type DeskAsk, deskMove } from './desk-move.ts';

/** Gives a held job back to the queue for anyone. */
export const releaseJob = (db: Db, ask: DeskAsk) =>
  deskMove(db, ask, 'release', (_trx, job) => {
    asHolder(ask.caller, job);
    return { operator_id: null };
  });
