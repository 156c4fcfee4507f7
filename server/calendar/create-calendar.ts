import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { createCalendar as endpoint } from '../../contract/people/calendar.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { digestOf } from '../mail/mail-token.ts';
import { calendarPath } from './calendar-route.ts';

export async function createCalendar(
  { db, publicUrl }: { db: Db; publicUrl: string },
  { caller: { accountId, userId }, body: { with_titles = false }, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const token = randomBytes(32).toString('base64url');
  return transact(db, async (trx) => {
    const account = await lockMembership(trx, accountId, userId);
    const row = { account_id: account, user_id: userId, token_sha256: digestOf(token), with_titles };
    const { created_at } = await trx
      .insertInto('calendars')
      .values(row)
      .onConflict((of) => of.columns(['account_id', 'user_id']).doUpdateSet({ ...row, created_at: sql<Date>`now()` }))
      .returning('created_at')
      .executeTakeFirstOrThrow();
    const details = { with_titles };
    const subject = showId('user', userId);
    await appendAudit(trx, cause, { action: 'calendar.created', subject, accountId: account, details });
    const calendar = { with_titles, created_at: created_at.toISOString() };
    return { status: 201, body: { calendar, url: `${publicUrl}${calendarPath(token)}` } };
  });
}

/** They may have been removed since the request was admitted. */
async function lockMembership(trx: Trx, accountId: string | null, userId: string): Promise<string> {
  const member = await trx
    .selectFrom('members')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (!member) throw new Refusal('account_not_found', { message: 'You do not belong to an account.' });
  return member.account_id;
}
