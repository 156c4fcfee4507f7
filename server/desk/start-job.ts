import { sql } from 'kysely';
import type { Db } from '../kit/db.ts';
import { asHolder, type DeskAsk, deskMove } from './desk-move.ts';

/** Work begins. An accepted job that nobody holds, such as a revision, is taken by starting it. */
export const startJob = (db: Db, ask: DeskAsk) =>
  deskMove(db, ask, 'start', (_trx, job) => {
    asHolder(ask.caller, job);
    return { operator_id: ask.caller.userId, held_since: job.held_since ?? sql<Date>`now()` };
  });
