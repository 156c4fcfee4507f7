import type { readClosing as endpoint } from '../../contract/people/accounts.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { accountUse, useRefusal } from './account-use.ts';

export async function readClosing(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const use = await accountUse(db, caller.accountId, graceHours);
  const { plans, reviews, ...ends } = use;
  return {
    status: 200,
    body: {
      closing: {
        possible: useRefusal(use) === null,
        running_plans: plans.length,
        jobs_to_review: reviews.map((id) => showId('job', id)),
        ends,
      },
    },
  };
}
