import type { followJob as endpoint } from '../../contract/jobs/talk.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { personOf } from './person.ts';
import { follow } from './thread.ts';

export async function followJob(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const userId = personOf(caller);
  return transact(db, async (trx) => {
    await lockCaller(trx, caller);
    const job = { account_id: caller.accountId, id: await ownedJobId(trx, caller.accountId, params.id) };
    await follow(trx, job, userId, body.following);
    return { status: 200, body };
  });
}
