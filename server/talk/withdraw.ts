import { withdrawMinutes } from '../../contract/jobs/talk.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { changeClock, readClock, runningClock } from '../jobs/clock.ts';
import { appendJobEvents } from '../jobs/job-event.ts';
import type { JobRow } from '../jobs/job.ts';
import { forgetWords } from '../jobs/queue-words.ts';
import { sql } from 'kysely';
import { forgetColleagues, forgetMessages } from '../notifications/notification.ts';
import { findMessage, isAuthor, isOpenQuestion, type MessageRow, type Party } from './message.ts';

/**
 * Withdraws a message of a locked job: deletes its text and hides its files of the studio again. After the
 * last open question the clock of the job goes on.
 */
export async function withdraw(trx: Trx, job: JobRow, id: string, party: Party, cause: Cause): Promise<MessageRow> {
  const message = await findMessage(trx, job, id);
  refuseUnlessWithdrawable(message, party);
  const at = await readClock(trx);
  await trx
    .updateTable('job_messages')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('id', '=', message.id)
    .set({ text: null, withdrawn_at: at })
    .execute();
  await forgetWords(trx, job);
  await hideFiles(trx, job, message.id);
  await forgetMessages(trx, job);
  await forgetColleagues(trx, job);
  await appendAudit(trx, cause, { action: 'message.withdrawn', subject: id, accountId: job.account_id });
  if (isOpenQuestion(message) && !(await hasOpenQuestion(trx, job))) {
    const clock = runningClock(job, at);
    await changeClock(trx, job, clock);
    const data = { due_at: clock.due_at?.toISOString() ?? null };
    await appendJobEvents(trx, job, [{ type: 'job.due_date_changed', data }], cause);
  }
  await announceUnlogged(trx, job.account_id, 'messages');
  return findMessage(trx, job, id);
}

/** By its author in time; an open question by any operator. */
function refuseUnlessWithdrawable(message: MessageRow, party: Party): void {
  if (message.withdrawn_at !== null) throw refusal('It was withdrawn already.');
  if (party.side === 'studio' && isOpenQuestion(message)) return;
  if (!isAuthor(message, party)) throw refusal('Only its author may withdraw it.');
  if (message.withdrawable_until === null) throw refusal(`It is older than ${withdrawMinutes} minutes.`);
}

const refusal = (why: string) =>
  new Refusal('invalid_transition', {
    message: `The message cannot be withdrawn. ${why}`,
    action: 'Send another message that corrects it.',
  });

/** The studio's files return to the desk; a customer's stay with the job. */
async function hideFiles(trx: Trx, job: JobRow, messageId: string): Promise<void> {
  await sql`
    with gone as (
      delete from job_message_files
      where account_id = ${job.account_id} and job_id = ${job.id} and message_id = ${messageId}
      returning file_id)
    update files set sent_at = null
    where account_id = ${job.account_id} and id in (select file_id from gone) and uploaded_by = 'studio'`.execute(trx);
}

async function hasOpenQuestion(trx: Trx, job: JobRow): Promise<boolean> {
  const { rows } = await sql`
    select from job_messages
    where account_id = ${job.account_id} and job_id = ${job.id} and question and answered_at is null
      and closed_at is null and withdrawn_at is null limit 1`.execute(trx);
  return rows.length > 0;
}
