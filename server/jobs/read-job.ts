import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readJob as endpoint } from '../../contract/jobs.ts';
import type { Request } from '../http/request.ts';
import { ownedJob, showEvents, showJob, type FindJob } from './job.ts';

export async function readJob(
  { findJob }: { findJob: FindJob },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJob(findJob, caller.accountId, params.id);
  return { status: 200, body: { job: showJob(job), events: showEvents(job) } };
}
