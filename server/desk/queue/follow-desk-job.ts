import type { followDeskJob as endpoint } from '../../../contract/desk/talk.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { follow } from '../../talk/thread.ts';
import { deskJobKey } from './desk-thread.ts';

export async function followDeskJob(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await follow(trx, await deskJobKey(trx, caller, params.id), caller.userId, body.following);
    return { status: 200, body };
  });
}
