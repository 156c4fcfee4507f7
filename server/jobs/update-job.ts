import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import type { updateJob as endpoint } from '../../contract/jobs/jobs.ts';
import { isEnded } from '../../contract/moves.ts';
import { correctableFields } from '../../contract/jobs/new-job.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { unsafe } from '../safety/policy.ts';
import { ownTexts } from './draft.ts';
import { appendJobEvents } from './job-event.ts';
import { type JobRow, lockJob, showJob, wholeJob } from './job.ts';
import { acceptWish } from './wish.ts';

/** Changes the customer's own data of a job, which moves nothing: what the body leaves out stays. */
export async function updateJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    refuseEnded(job);
    const danger = unsafe(ownTexts({ reference: body.reference ?? null, metadata: body.metadata ?? {} }));
    if (danger) throw danger;
    const next = await ownData(trx, job, body);
    const changed = correctableFields.filter((field) => !isDeepStrictEqual(next[field], job[field]));
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

type OwnData = Pick<JobRow, 'reference' | 'metadata' | 'wanted_by'>;

async function ownData(trx: Trx, job: JobRow, body: Body<typeof endpoint>): Promise<OwnData> {
  const { reference = job.reference, metadata = job.metadata, wanted_by: wish } = body;
  const wanted_by = wish === undefined ? job.wanted_by : await acceptWish(trx, wish, job.wanted_by);
  return { reference, metadata: metadata ?? {}, wanted_by };
}

const saveOwnData = (trx: Trx, { account_id, id }: JobRow, { reference, metadata, wanted_by }: OwnData) =>
  trx
    .updateTable('jobs')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .set({ reference, metadata, wanted_by })
    .execute();
