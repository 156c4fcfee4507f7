import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { JobKey } from '../jobs/job-event.ts';
import type { JobRow } from '../jobs/job.ts';
import { queueMail } from '../mail/outbox.ts';
import { wantsMail } from '../mail/notification-choice.ts';
import { customerFollowers, studioFollowers } from '../notifications/followers.ts';
import { notify, renewNews } from '../notifications/notify.ts';
import { tellColleagues } from '../notifications/tell-colleagues.ts';
import type { Party } from './message.ts';

type Side = 'customer' | 'studio';

/** Seconds that a recipient has to read a message on the page before it is mailed. */
const mailAfter = 120;
/** Seconds after which the customer is reminded of a question. */
const remindAfter = [24, 72, 168].map((hours) => hours * 3600);

/**
 * Tells the followers of the other side: one notification and one mail for all that they have not read. The
 * author's colleagues are told, too.
 */
export async function tellOfMessage(trx: Trx, job: JobRow, messageId: string, author: Party): Promise<void> {
  const side: Side = author.side === 'customer' ? 'studio' : 'customer';
  const kind = side === 'customer' ? 'message' : 'customer_message';
  const readers = side === 'customer' ? await customerFollowers(trx, job) : await studioFollowers(trx, job);
  const news = { kind, cause: messageId, accountId: job.account_id, jobId: job.id, about: job.customer_title } as const;
  const data = { account_id: job.account_id, job_id: job.id, side, from: messageId };
  for (const userId of readers) {
    if (!(await renewNews(trx, userId, job, kind))) await notify(trx, [userId], news, null);
    if ((await wantsMail(trx, userId, kind)) && !(await isQueued(trx, userId, job, side)))
      await queueMail(trx, { kind: 'job_messages', userId, data }, mailAfter);
  }
  if (author.side === 'customer')
    await tellColleagues(trx, job, { state: 'message', cause: messageId, userId: author.userId });
}

/** Reminders of the question that stops the clock since `at`. They are dropped once the clock runs again. */
export async function queueReminders(trx: Trx, job: JobRow, at: Date): Promise<void> {
  const data = { account_id: job.account_id, job_id: job.id, since: at.toISOString() };
  for (const userId of await customerFollowers(trx, job))
    if (await wantsMail(trx, userId, 'message'))
      for (const seconds of remindAfter) await queueMail(trx, { kind: 'open_question', userId, data }, seconds);
}

/** Whether a mail that nobody sends yet will hold this message, too. */
async function isQueued(trx: Trx, userId: string, job: JobKey, side: Side): Promise<boolean> {
  const { rows } = await sql`
    select from mails where user_id = ${userId} and kind = 'job_messages' and attempts = 0
      and data->>'job_id' = ${job.id} and data->>'side' = ${side} limit 1 for update skip locked`.execute(trx);
  return rows.length > 0;
}
