import type { readCalendar as endpoint } from '../../contract/people/calendar.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';

export async function readCalendar(
  { db }: { db: Db },
  { caller: { accountId, userId } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const row = await db
    .selectFrom('calendars')
    .select(['with_titles', 'created_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const calendar = row ? { ...row, created_at: row.created_at.toISOString() } : null;
  return { status: 200, body: { calendar } };
}
