import type { readMessages as endpoint } from '../../contract/jobs/talk.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { personOf } from './person.ts';
import { markRead } from './thread.ts';

export async function readMessages(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const userId = personOf(caller);
  return transact(db, async (trx) => {
    await lockCaller(trx, caller);
    const job = { account_id: caller.accountId, id: await ownedJobId(trx, caller.accountId, params.id) };
    return { status: 200, body: { read_message_id: await markRead(trx, job, userId, body.message_id) } };
  });
}
