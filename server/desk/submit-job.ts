import type { Db } from '../db/pool.ts';
import { submitFiles } from '../files/deliverable.ts';
import { heldBy } from '../jobs/hold.ts';
import type { HolderRequest } from './desk-move.ts';
import { holderMove } from './holder-move.ts';

/** Hands the work in: to quality review, or straight to the customer where the option has none. The hold ends. */
export const submitJob = (db: Db, request: HolderRequest & { body: { message?: string; file_ids?: string[] } }) =>
  holderMove(
    db,
    request,
    'submit',
    { byLease: () => ({}), byOperator: (_, { userId }) => ({ ...heldBy(userId), held_since: null }) },
    async (trx, job) => {
      await trx
        .insertInto('job_submissions')
        .values({ account_id: job.account_id, job_id: job.id, message: request.body.message ?? null })
        .execute();
      if (request.body.file_ids) await submitFiles(trx, job, request.body.file_ids);
    },
  );
