import type { Db } from '../kit/db.ts';
import { asHolder, type DeskAsk, deskMove } from './desk-move.ts';

/** Hands the work in: to quality review, or straight to the customer where the option has none. The hold ends. */
export const submitJob = (db: Db, ask: DeskAsk & { body: { message?: string } }) =>
  deskMove(db, ask, 'submit', async (trx, job) => {
    asHolder(ask.caller, job);
    await trx
      .insertInto('job_submissions')
      .values({ job_id: job.id, message: ask.body.message ?? null })
      .execute();
    return { operator_id: ask.caller.userId };
  });
