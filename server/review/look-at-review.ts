import type { lookAtReview as endpoint } from '../../contract/review/looking.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import { noteLooking } from './looker.ts';
import { personOf } from '../talk/person.ts';

export async function lookAtReview(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const userId = personOf(caller);
  const job = { account_id: caller.accountId, id: await ownedJobId(db, caller.accountId, params.id) };
  const person = { userId, reviewLinkId: null, guestName: null };
  return { status: 200, body: { lookers: await noteLooking(db, job, person, body.looking) } };
}
