import type { readJob as endpoint } from '../../contract/jobs/jobs.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { memberOf, readRevision } from './job-comment.ts';
import { showJobEvents } from './job-event.ts';
import { limitOf, ownedJob, showJob, type FindJob, type WholeJob } from './job.ts';
import { nextAction } from './next-action.ts';

export async function readJob(
  { db, findJob }: { db: Db; findJob: FindJob },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJob(findJob, caller.accountId, params.id);
  const next_action = await nextAction(db, job, caller.suspendedSince !== null);
  const revision = await readRevision(db, job, memberOf(caller));
  const events = eventsOf(job, query.events);
  return { status: 200, body: { job: showJob(job, limitOf(caller)), events, revision, next_action } };
}

const eventsOf = (job: WholeJob, which: 'none' | 'last' | 'all' = 'all') =>
  showJobEvents(which === 'all' ? job : { ...job, events: which === 'last' ? job.events.slice(-1) : [] });
