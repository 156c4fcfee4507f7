import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorAsk } from './desk-move.ts';
import { writeNote } from './add-note.ts';

/** Sends work back before the customer sees it, to the operator who held it; the note stays internal. */
export const returnJob = (db: Db, ask: OperatorAsk & { body: { note: string } }) =>
  deskMove(db, ask, 'return', async (trx, job) => {
    await writeNote(trx, job.id, ask.caller.userId, ask.body.note);
    return {};
  });
