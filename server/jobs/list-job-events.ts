import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listJobEvents as endpoint } from '../../contract/jobs.ts';
import type { Request } from '../http/request.ts';
import { ownedJob, type ReadJob, showEvents } from './job.ts';

/** The history of a job from after a `seq` on: what a caller polls. */
export async function listJobEvents(
  read: ReadJob,
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJob(read, caller.accountId, params.id);
  const after = query.after ?? 0;
  return { status: 200, body: { job_id: params.id, events: showEvents(job).filter(({ seq }) => seq > after) } };
}
