import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorRequest } from './desk-move.ts';
import { writeNote } from './add-note.ts';

/** Sends work back before the customer sees it, to the operator who held it; the note stays internal. */
export const returnJob = (db: Db, request: OperatorRequest & { body: { note: string } }) =>
  deskMove(db, request, 'return', async (trx, job) => {
    await writeNote(trx, job, request.caller.userId, request.body.note);
    return {};
  });
