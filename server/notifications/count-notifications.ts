import type { countNotifications as endpoint } from '../../contract/people/notifications.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { countUnread } from './notification.ts';

export async function countNotifications(
  { db }: { db: Db },
  { caller, query: { side = 'customer' } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { unread: await countUnread(db, caller, side) } };
}
