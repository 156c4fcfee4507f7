import { sql } from 'kysely';
import type { readNotification as endpoint } from '../../contract/people/notifications.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readId } from '../lib/id.ts';
import { countUnread, seenBy, type Side } from './notification.ts';

export async function readNotification(
  { db }: { db: Db },
  { caller, params, body: { earlier = false } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const position = sql`select case when n.side in ('customer', 'team') then 'customer' else 'studio' end as side, n.created_at, n.id, n.job_id from notifications n
      where n.id = ${readId('ntf', params.id)} and (${seenBy(caller, 'customer')} or ${seenBy(caller, 'studio')})`;
    const { rows } = await sql<{ side: Side }>`${position}`.execute(trx);
    const [row] = rows;
    if (!row) throw new Refusal('notification_not_found');
    const which = earlier
      ? sql`true`
      : sql`(n.id = position.id or (n.job_id = position.job_id and position.side = 'customer'))`;
    await sql`
      update notifications n set read_at = now() from (${position}) position
      where ${seenBy(caller, row.side)} and n.read_at is null
        and (n.created_at, n.id) <= (position.created_at, position.id) and ${which}`.execute(trx);
    return { status: 200, body: { unread: await countUnread(trx, caller, row.side) } };
  });
}
