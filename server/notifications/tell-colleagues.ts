import type { Trx } from '../db/pool.ts';
import { customerFollowers } from './followers.ts';
import { notify, renewNews } from './notify.ts';

type Job = { account_id: string; id: string; created_by_user: string | null; customer_title: string };
type Said = { state: 'message' | 'comment'; cause: string; userId: string | null };

/** Tells the other members who follow the job, once until they have seen it, however much is said. */
export async function tellColleagues(trx: Trx, job: Job, { state, cause, userId }: Said): Promise<void> {
  const news = {
    kind: 'colleague',
    cause,
    accountId: job.account_id,
    jobId: job.id,
    state,
    about: job.customer_title,
  } as const;
  for (const follower of await customerFollowers(trx, job))
    if (follower !== userId && !(await renewNews(trx, follower, job, 'colleague', state)))
      await notify(trx, [follower], news);
}
