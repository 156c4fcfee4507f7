import type { submitJob as endpoint } from '../../../contract/desk/desk.ts';
import type { Trx, Db } from '../../db/pool.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { submitFiles } from '../../files/deliverable.ts';
import { heldBy } from '../../jobs/hold.ts';
import type { JobRow } from '../../jobs/job.ts';
import { applyMove } from '../../jobs/move.ts';
import { moveOnce, refuseUnlessMovable } from './desk-move.ts';
import { lockForHolder } from './lease.ts';

/** Submits the work to quality review, or to the customer if the option has none. The hold ends. */
export async function submitJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { message = null, file_ids } = body;
  if (message === null && !file_ids?.length)
    throw badBody([{ location: '', message: 'needs a message for the customer, or a file in file_ids' }]);
  return moveOnce(context, request, async (trx) => {
    const job = await lockForHolder(trx, caller, params.id, body.lease_token, 'submit');
    refuseUnlessMovable(job, 'submit');
    if (caller.method === 'session') await refuseOpenChecklist(trx, job);
    await insertSubmission(trx, job, message);
    if (file_ids) await submitFiles(trx, job, file_ids);
    const byLease = caller.method === 'worker_key' || body.lease_token !== undefined;
    const lastHolder = byLease ? {} : { ...heldBy(caller.userId), held_since: null };
    await applyMove(trx, job, 'submit', cause, lastHolder);
    return job;
  });
}

/** Workers are exempt: a tick says that a person looked. */
async function refuseOpenChecklist(trx: Trx, { account_id, id, revisions_used, checklist }: JobRow): Promise<void> {
  if (checklist.length === 0) return;
  const ticks = await trx
    .selectFrom('job_ticks')
    .select('item')
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('round', '=', revisions_used)
    .execute();
  const open = checklist.filter((_, place) => !ticks.some(({ item }) => item === place));
  if (open.length > 0) throw new Refusal('checklist_open', { message: `Not ticked: ${open.join('; ')}.` });
}

const insertSubmission = (trx: Trx, job: JobRow, message: string | null) =>
  trx
    .insertInto('job_submissions')
    .values({ account_id: job.account_id, job_id: job.id, round: job.revisions_used, message })
    .execute();
