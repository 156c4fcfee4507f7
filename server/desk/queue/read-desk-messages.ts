import type { readDeskMessages as endpoint } from '../../../contract/desk/talk.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { markRead } from '../../talk/thread.ts';
import { deskJobKey } from './desk-thread.ts';

export async function readDeskMessages(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const job = await deskJobKey(trx, caller, params.id);
    return { status: 200, body: { read_message_id: await markRead(trx, job, caller.userId, body.message_id) } };
  });
}
