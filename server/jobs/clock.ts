import { sql } from 'kysely';
import type { MoveName } from '../../contract/moves.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { JobChanges, JobRow } from './job.ts';

/** Moves that close open questions without an answer. */
const closing: readonly MoveName[] = ['submit', 'pass', 'reject', 'cancel'];
export const closesQuestions = (move: MoveName, job: JobRow): boolean =>
  job.waiting_since !== null && closing.includes(move);

/** The time of the database. Read it after the job is locked: then times follow the order of the locks. */
export async function readClock(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(trx);
  if (!rows[0]) throw new Error('The database did not tell the time.');
  return rows[0].at;
}

/** When the transaction began, or this statement outside of one: what `created_at` will be. */
export async function readNow(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now()::timestamptz(3) as at`.execute(db);
  if (!rows[0]) throw new Error('The database did not tell the time.');
  return rows[0].at;
}

/** Stops the clock of a locked job. */
export const stoppedClock = (job: JobRow, at: Date): JobChanges => ({
  waiting_since: at,
  due_at: null,
  remaining_ms: job.due_at && job.due_at.getTime() - at.getTime(),
});

/** Starts the clock of a waiting job again: it is due later by exactly the time waited. */
export const runningClock = (job: JobRow, at: Date) => ({
  waiting_since: null,
  remaining_ms: null,
  due_at: job.remaining_ms === null ? null : new Date(at.getTime() + Number(job.remaining_ms)),
});

/** Closes all open questions of a job without an answer. */
export const closeQuestions = (trx: Trx, job: JobRow, at: Date) =>
  trx
    .updateTable('job_messages')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('question', '=', true)
    .where('answered_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('closed_at', 'is', null)
    .set({ closed_at: at })
    .execute();

/** Changes the clock of a locked job; a move does so along with the status. */
export const changeClock = (trx: Trx, job: JobRow, clock: JobChanges) =>
  trx.updateTable('jobs').where('account_id', '=', job.account_id).where('id', '=', job.id).set(clock).execute();
