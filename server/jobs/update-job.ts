import { isDeepStrictEqual } from 'node:util';
import type { updateJob as endpoint } from '../../contract/jobs/jobs.ts';
import { isEnded } from '../../contract/moves.ts';
import { optionalNames } from '../../contract/jobs/optional-fields.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { unsafe } from '../safety/policy.ts';
import { ownTexts } from './draft.ts';
import { appendJobEvents } from './job-event.ts';
import { type JobRow, lockJob, showJob } from './job.ts';
import { wholeJob } from './whole-job.ts';
import { type OptionalRow, withChanges } from './optional-fields.ts';

/** Changes the customer's own data of a job, which moves nothing: what the body leaves out stays. */
export async function updateJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    refuseEnded(job);
    const danger = unsafe(ownTexts(body));
    if (danger) throw danger;
    const next = await withChanges(trx, optionalNames, job, body);
    const changed = optionalNames.filter((field) => !isDeepStrictEqual(next[field], job[field]));
    if (changed.length > 0) {
      await saveOwnData(trx, job, next);
      await appendJobEvents(trx, job, [{ type: 'job.updated', data: { changed } }], cause);
    }
    return { status: 200, body: { job: showJob(await wholeJob(trx, job, graceHours)) } };
  });
}

function refuseEnded({ status }: JobRow): void {
  if (isEnded(status))
    throw new Refusal('invalid_transition', {
      message: `A ${status} job cannot be changed.`,
      action: 'The job has ended and will not change. Read it to see how it ended.',
    });
}

const saveOwnData = (trx: Trx, { account_id, id }: JobRow, next: OptionalRow) =>
  trx.updateTable('jobs').where('account_id', '=', account_id).where('id', '=', id).set(next).execute();
