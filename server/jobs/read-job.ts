import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readJob as endpoint } from '../../contract/jobs.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { memberOf, readRevision } from './job-comment.ts';
import { limitOf, ownedJob, showEvents, showJob, type FindJob } from './job.ts';
import { askedOfCustomer, whileSuspended } from './next-action.ts';

export async function readJob(
  { db, findJob }: { db: Db; findJob: FindJob },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJob(findJob, caller.accountId, params.id);
  const suspended = caller.suspendedSince !== null;
  const next_action = suspended ? whileSuspended(job) : await askedOfCustomer(db, job);
  const revision = await readRevision(db, job, memberOf(caller));
  return { status: 200, body: { job: showJob(job, limitOf(caller)), events: showEvents(job), revision, next_action } };
}
