import type { endCalendar as endpoint } from '../../contract/people/calendar.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';

export async function endCalendar(
  { db }: { db: Db },
  { caller: { accountId, userId }, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await transact(db, async (trx) => {
    const ended = await trx
      .deleteFrom('calendars')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .returning('account_id')
      .executeTakeFirst();
    if (ended) await appendAudit(trx, cause, { action: 'calendar.ended', subject: showId('user', userId), accountId });
  });
  return { status: 200, body: { done: true } };
}
