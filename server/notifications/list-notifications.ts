import { sql } from 'kysely';
import type { listNotifications as endpoint } from '../../contract/people/notifications.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { notificationColumns, type NotificationRow, wordsColumn } from '../mail/notification-words.ts';
import { isNewest, seenBy, showNotification, storedSides } from './notification.ts';

export async function listNotifications(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { side = 'customer', cursor, limit = 25 } = query;
  const scope = ['listNotifications', caller.userId, caller.accountId, side];
  const from = readCursor(signer, scope, cursor);
  const before = from === null ? sql`` : sql`and (n.created_at, n.id) < (${from.at}, ${from.id}::uuid)`;
  // One scan of the index per stored side.
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns}, ${wordsColumn} from unnest(${storedSides(caller, side)}::text[]) stored (side), lateral (
      select * from notifications n where n.side = stored.side and ${seenBy(caller, side)} and ${isNewest(caller, side)} ${before}
      order by n.created_at desc, n.id desc limit ${limit + 1}) n
    order by n.created_at desc, n.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { notifications: page.map(showNotification), next_cursor } };
}
