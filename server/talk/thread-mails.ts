import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { JobKey } from '../jobs/job-event.ts';
import type { JobRow } from '../jobs/job.ts';
import { queueMail } from '../mail/outbox.ts';
import type { Party } from './message.ts';

type Side = 'customer' | 'studio';

/** Seconds that a recipient has to read a message on the page before it is mailed. */
const mailAfter = 120;
/** Seconds after which the customer is reminded of a question. */
const remindAfter = [24, 72, 168].map((hours) => hours * 3600);

/** Queues a mail to each follower of the other side, unless one about this thread waits for them already. */
export async function queueMessageMails(trx: Trx, job: JobRow, messageId: string, author: Party): Promise<void> {
  const side: Side = author.side === 'customer' ? 'studio' : 'customer';
  const readers = side === 'customer' ? await customerFollowers(trx, job) : await studioFollowers(trx, job);
  const data = { account_id: job.account_id, job_id: job.id, side, from: messageId };
  for (const userId of readers)
    if (!(await isQueued(trx, userId, job, side)))
      await queueMail(trx, { kind: 'job_messages', userId, data }, mailAfter);
}

/** Reminders of the question that stops the clock since `at`. They are dropped once the clock runs again. */
export async function queueReminders(trx: Trx, job: JobRow, at: Date): Promise<void> {
  const data = { account_id: job.account_id, job_id: job.id, since: at.toISOString() };
  for (const userId of await customerFollowers(trx, job))
    for (const seconds of remindAfter) await queueMail(trx, { kind: 'open_question', userId, data }, seconds);
}

/**
 * Members who ordered the job, wrote in its thread or chose to follow it. If a key ordered it and nobody
 * follows it, the owners.
 */
async function customerFollowers(trx: Trx, job: JobKey & { created_by_user: string | null }): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with follower as (
      select m.user_id from members m
      left join job_readers r on r.account_id = ${job.account_id} and r.job_id = ${job.id} and r.user_id = m.user_id
      where m.account_id = ${job.account_id} and coalesce(r.following, m.user_id = ${job.created_by_user}::uuid
        or exists (select from job_messages s where s.account_id = ${job.account_id} and s.job_id = ${job.id}
          and s.user_id = m.user_id and s.author = 'customer'), false)),
    reader as (
      select user_id from follower
      union all
      select m.user_id from members m
      where m.account_id = ${job.account_id} and m.role = 'owner' and ${job.created_by_user}::uuid is null
        and not exists (select from follower)
        and not exists (select from job_readers r where r.account_id = ${job.account_id} and r.job_id = ${job.id}
          and r.user_id = m.user_id and not r.following))
    select user_id from reader join people u on u.id = reader.user_id
    where u.mail_messages order by user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

/** The operator who last held the job, those who wrote in its thread, and those who chose to follow it. */
async function studioFollowers(trx: Trx, job: JobKey & { operator_id: string | null }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from people u
    left join job_readers r on r.account_id = ${job.account_id} and r.job_id = ${job.id} and r.user_id = u.id
    where u.operator and u.mail_messages and coalesce(r.following, u.id = ${job.operator_id}::uuid
      or exists (select from job_messages s where s.account_id = ${job.account_id} and s.job_id = ${job.id}
        and s.user_id = u.id and s.author = 'studio'), false)
    order by u.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whether a mail that nobody sends yet will hold this message, too. */
async function isQueued(trx: Trx, userId: string, job: JobKey, side: Side): Promise<boolean> {
  const { rows } = await sql`
    select from mails where user_id = ${userId} and kind = 'job_messages' and attempts = 0
      and data->>'job_id' = ${job.id} and data->>'side' = ${side} limit 1 for update skip locked`.execute(trx);
  return rows.length > 0;
}
