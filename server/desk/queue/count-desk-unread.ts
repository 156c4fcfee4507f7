import type { countDeskUnread as endpoint } from '../../../contract/desk/talk.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { unreadOf } from '../../talk/thread.ts';

export async function countDeskUnread(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: await unreadOf(db, caller.userId, null) };
}
