import { sql } from 'kysely';
import { canAsk } from '../../contract/moves.ts';
import { isClosed, lockAccount, lockCounters, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { changeClock, readClock, runningClock, stoppedClock } from '../jobs/clock.ts';
import { appendJobEvents } from '../jobs/job-event.ts';
import { attachFiles, type FileRow, keptFault, namedFiles } from '../jobs/job-file.ts';
import type { JobRow } from '../jobs/job.ts';
import { queueWords } from '../jobs/queue-words.ts';
import { showId } from '../lib/id.ts';
import { unsafe } from '../safety/policy.ts';
import { type Party, refuseBeyondDay, refuseUnlessTalking } from './message.ts';
import { tellOfMessage, queueReminders } from './thread-mails.ts';

type NewMessage = { text: string; file_ids?: string[]; question?: boolean };

/**
 * Adds a message to a locked job. A customer's message answers all open questions and starts the clock again;
 * a question of the studio stops it. Returns its id, and the number of the last event of the log.
 */
export async function writeMessage(
  trx: Trx,
  job: JobRow,
  author: Party,
  { text, file_ids = [], question = false }: NewMessage,
  cause: Cause,
): Promise<{ message_id: string; after: number }> {
  await lockAccountOf(trx, job, author);
  const at = await readClock(trx);
  refuseUnlessTalking(job, at);
  if (question) refuseUnlessAskable(job);
  const danger = unsafe([['/text', text]]);
  if (danger) throw danger;
  await refuseBeyondDay(trx, job);
  const files = await messageFiles(trx, job, author, file_ids);
  const id = await insertMessage(trx, job, author, { text, question }, at);
  await sendFiles(trx, job, id, files, author, cause);
  const message_id = showId('msg', id);
  const added = await appendJobEvents(trx, job, [{ type: 'job.message_added', data: { message_id } }], cause);
  if (question) await ask(trx, job, at, message_id, cause);
  const answered = author.side === 'customer' && (await answer(trx, job, at, message_id, cause));
  await tellOfMessage(trx, job, id, author);
  return { message_id, after: answered || added };
}

/** Before the files: a create that names one of them holds the account and asks for the file. */
async function lockAccountOf(trx: Trx, { account_id }: JobRow, { side }: Party): Promise<void> {
  if (side === 'customer') return lockAccount(trx, account_id);
  await lockCounters(trx, account_id);
  if (!(await isClosed(trx, account_id))) return;
  throw new Refusal('invalid_transition', {
    message: 'The account of the job is closed, so nobody could read the message.',
    action: 'Add a note to the job instead.',
  });
}

function refuseUnlessAskable({ status }: JobRow): void {
  if (canAsk(status)) return;
  throw new Refusal('invalid_transition', {
    message: `The job is ${status}: no question can be asked about it.`,
    action: 'Send the text as a message without a question.',
  });
}

/** Completed uploads of the author's side: for this job, or a customer's without a job. */
async function messageFiles(trx: Trx, job: JobRow, { side }: Party, ids: readonly string[]): Promise<FileRow[]> {
  if (ids.length === 0) return [];
  const files = await namedFiles(
    trx,
    side === 'customer'
      ? { account_id: job.account_id, uploaded_by: 'customer' }
      : { account_id: job.account_id, job_id: job.id, uploaded_by: 'studio' },
    ids,
    (file) => {
      if (file.purpose !== 'job_reference') return `names a file with the purpose ${file.purpose}, not job_reference`;
      if (file.job_id !== null && file.job_id !== job.id) return 'names a file that is part of another job';
      return keptFault(file);
    },
  );
  await refuseSent(trx, job, files);
  return files;
}

async function refuseSent(trx: Trx, job: JobRow, files: readonly FileRow[]): Promise<void> {
  const { rows } = await sql<{ file_id: string }>`
    select file_id from job_message_files
    where account_id = ${job.account_id} and file_id = any(${files.map(({ id }) => id)}::uuid[])`.execute(trx);
  const [sent] = rows;
  if (!sent) return;
  const index = files.findIndex(({ id }) => id === sent.file_id);
  throw new Refusal('invalid_request', {
    details: [{ location: `/file_ids/${index}`, message: 'names a file of another message' }],
  });
}

async function insertMessage(
  trx: Trx,
  job: JobRow,
  { side, userId, apiKeyId, workerKeyId }: Party,
  { text, question }: { text: string; question: boolean },
  at: Date,
): Promise<string> {
  const { id } = await trx
    .insertInto('job_messages')
    .values({
      account_id: job.account_id,
      job_id: job.id,
      author: side,
      user_id: userId,
      api_key_id: apiKeyId,
      worker_key_id: workerKeyId,
      text,
      question,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueWords(trx, job);
  return id;
}

/** A customer's files become part of the job; those of the studio are shown to the customer. */
async function sendFiles(
  trx: Trx,
  job: JobRow,
  message_id: string,
  files: readonly FileRow[],
  { side }: Party,
  cause: Cause,
): Promise<void> {
  if (files.length === 0) return;
  await trx
    .insertInto('job_message_files')
    .values(
      files.map(({ id: file_id }, position) => ({
        account_id: job.account_id,
        job_id: job.id,
        message_id,
        position,
        file_id,
      })),
    )
    .execute();
  const loose = files.filter(({ job_id }) => job_id === null);
  if (side === 'customer') return attachFiles(trx, job, loose, cause);
  await sql`
    update files set sent_at = now()
    where account_id = ${job.account_id} and id = any(${files.map(({ id }) => id)}::uuid[])`.execute(trx);
}

/** The first open question stops the clock. */
async function ask(trx: Trx, job: JobRow, at: Date, message_id: string, cause: Cause): Promise<void> {
  if (job.waiting_since === null) {
    await changeClock(trx, job, stoppedClock(job, at));
    await queueReminders(trx, job, at);
  }
  await appendJobEvents(trx, job, [{ type: 'job.question_asked', data: { message_id } }], cause);
}

/** A free job is claimed first from now on. Null if nothing was asked. */
async function answer(trx: Trx, job: JobRow, at: Date, message_id: string, cause: Cause): Promise<number | null> {
  if (job.waiting_since === null) return null;
  await trx
    .updateTable('job_messages')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('question', '=', true)
    .where('answered_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .set({ answered_at: at })
    .execute();
  const clock = runningClock(job, at);
  await changeClock(trx, job, { ...clock, answered_at: job.held_since === null ? at : null });
  const waited_seconds = Math.floor((at.getTime() - job.waiting_since.getTime()) / 1000);
  const data = { message_id, waited_seconds, due_at: clock.due_at?.toISOString() ?? null };
  return appendJobEvents(trx, job, [{ type: 'job.question_answered', data }], cause);
}
