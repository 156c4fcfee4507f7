import type { Db } from '../db/pool.ts';
import { submitFiles } from '../files/deliverable.ts';
import { badBody } from '../http/refusal.ts';
import { heldBy } from '../jobs/hold.ts';
import type { HolderRequest } from './desk-move.ts';
import { holderMove } from './holder-move.ts';

type Submission = { message?: string; file_ids?: string[] };

/** Hands the work in: to quality review, or straight to the customer where the option has none. The hold ends. */
export async function submitJob(db: Db, request: HolderRequest & { body: Submission }) {
  const { message = null, file_ids } = request.body;
  if (message === null && !file_ids?.length)
    throw badBody([{ location: '', message: 'needs a message for the customer, or a file in file_ids' }]);
  return holderMove(
    db,
    request,
    'submit',
    { byLease: () => ({}), byOperator: (_, { userId }) => ({ ...heldBy(userId), held_since: null }) },
    async (trx, job) => {
      const { account_id, id: job_id, revisions_used: round } = job;
      await trx.insertInto('job_submissions').values({ account_id, job_id, round, message }).execute();
      if (file_ids) await submitFiles(trx, job, file_ids);
    },
  );
}
