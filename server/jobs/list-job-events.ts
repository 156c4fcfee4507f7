import type { listJobEvents as endpoint } from '../../contract/jobs/jobs.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showJobEvents } from './job-event.ts';
import { ownedJob, type FindJob } from './job.ts';

export async function listJobEvents(
  { findJob }: { findJob: FindJob },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJob(findJob, caller.accountId, params.id);
  const after = query.after ?? 0;
  return { status: 200, body: { job_id: params.id, events: showJobEvents(job).filter(({ seq }) => seq > after) } };
}
