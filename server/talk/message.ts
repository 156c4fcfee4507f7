import { sql } from 'kysely';
import type { Author, Message } from '../../contract/jobs/message.ts';
import { messagesPerDay, withdrawMinutes } from '../../contract/jobs/talk.ts';
import { takesMessages, talkDaysAfterEnd } from '../../contract/moves.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { type CallerOf, isView } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';
import type { JobKey } from '../jobs/job-event.ts';
import type { JobRow } from '../jobs/job.ts';

/** Who writes or reads a message, and on which side. */
export type Party = { side: Author; userId: string | null; apiKeyId: string | null; workerKeyId: string | null };

export const customerParty = (caller: CallerOf<'caller'>): Party => ({
  side: 'customer',
  userId: caller.method === 'session' && !isView(caller) ? caller.userId : null,
  apiKeyId: caller.method === 'api_key' ? caller.keyId : null,
  workerKeyId: null,
});

export const deskParty = (caller: CallerOf<'desk'>): Party => ({
  side: caller.method === 'session' ? 'studio' : 'worker',
  userId: caller.method === 'session' ? caller.userId : null,
  apiKeyId: null,
  workerKeyId: caller.method === 'worker_key' ? caller.keyId : null,
});

export type MessageRow = {
  id: string;
  job_id: string;
  author: Author;
  user_id: string | null;
  api_key_id: string | null;
  worker_key_id: string | null;
  author_name: string | null;
  text: string | null;
  question: boolean;
  file_ids: string[];
  created_at: Time;
  answered_at: Time | null;
  closed_at: Time | null;
  withdrawn_at: Time | null;
  withdrawable_until: Time | null;
};

/** Columns of messages `m` of an account. Times are text, which saves parsing and formatting. */
export const messageColumns = (
  accountId: string,
) => sql`m.id, m.job_id, m.author, m.user_id, m.api_key_id, m.worker_key_id, m.text, m.question,
  m.created_at::text as created_at, m.answered_at::text as answered_at, m.closed_at::text as closed_at,
  m.withdrawn_at::text as withdrawn_at,
  (case when m.withdrawn_at is null and m.created_at > clock_timestamp() - make_interval(mins => ${withdrawMinutes})
    then m.created_at + make_interval(mins => ${withdrawMinutes}) end)::text as withdrawable_until,
  coalesce((select u.name from people u where u.id = m.user_id),
    (select k.name from api_keys k where k.id = m.api_key_id),
    (select k.name from worker_keys k where k.id = m.worker_key_id)) as author_name,
  coalesce((select json_agg(f.file_id order by f.position) from job_message_files f
    where f.account_id = ${accountId} and f.job_id = m.job_id and f.message_id = m.id), '[]') as file_ids`;

export const isAuthor = (message: MessageRow, { userId, apiKeyId, workerKeyId }: Party): boolean =>
  message.user_id === userId && message.api_key_id === apiKeyId && message.worker_key_id === workerKeyId;

/** Customers read the name of the studio instead of its people; workers read no names of people. */
function nameFor({ side }: Party, { author, author_name }: MessageRow): string {
  if (side === 'customer' && author !== 'customer') return 'The studio';
  if (side === 'worker' && author === 'customer') return '';
  if (side === 'worker' && author === 'studio') return 'The studio';
  return author_name ?? '';
}

export const showMessage = (message: MessageRow, reader: Party): Message => ({
  id: showId('msg', message.id),
  job_id: showId('job', message.job_id),
  author: { kind: message.author, name: nameFor(reader, message) },
  mine: isAuthor(message, reader),
  text: message.text,
  file_ids: message.file_ids.map((id) => showId('file', id)),
  question: message.question,
  answered_at: isoTime(message.answered_at),
  closed_at: isoTime(message.closed_at),
  created_at: isoTime(message.created_at),
  withdrawn_at: isoTime(message.withdrawn_at),
  withdrawable_until: isAuthor(message, reader) ? isoTime(message.withdrawable_until) : null,
});

/** The message of a job, or 404. */
export async function findMessage(db: Db | Trx, job: JobKey, id: string): Promise<MessageRow> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns(job.account_id)} from job_messages m
    where m.account_id = ${job.account_id} and m.job_id = ${job.id} and m.id = ${readId('msg', id)}`.execute(db);
  if (!rows[0]) throw new Refusal('message_not_found');
  return rows[0];
}

export const isOpenQuestion = ({ question, answered_at, closed_at, withdrawn_at }: MessageRow): boolean =>
  question && answered_at === null && closed_at === null && withdrawn_at === null;

export function refuseUnlessTalking(job: JobRow, at: Date): void {
  if (job.imported_at !== null)
    throw new Refusal('invalid_transition', {
      message: 'The job was imported and takes no messages.',
      action: 'Create a new job, or write to the studio another way.',
    });
  if (takesMessages(job.status, job.status_changed_at.getTime(), at.getTime())) return;
  throw new Refusal('invalid_transition', {
    message: `The job has been ${job.status} for more than ${talkDaysAfterEnd} days and takes no more messages.`,
    action: 'Create a new job, or write to the studio another way.',
  });
}

/** Counts both sides, under the lock of the job. */
export async function refuseBeyondDay(trx: Trx, job: JobKey): Promise<void> {
  const { rows } = await sql`
    select from job_messages
    where account_id = ${job.account_id} and job_id = ${job.id} and created_at > now() - interval '1 day'`.execute(trx);
  if (rows.length < messagesPerDay) return;
  throw new Refusal('limit_reached', {
    message: `The job has ${rows.length} messages of the last 24 hours; it may have ${messagesPerDay} in a day.`,
    action: 'Wait until the oldest of them is a day old.',
  });
}
