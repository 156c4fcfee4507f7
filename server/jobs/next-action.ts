import { sql } from 'kysely';
import type { AccountEventType } from '../../contract/jobs/events.ts';
import type { EventType } from '../../contract/jobs/job.ts';
import { isEnded } from '../../contract/moves.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { JobKey } from './job-event.ts';
import type { FoundJob, WholeJob } from './job.ts';

/** Events that a customer waits for while the studio works: the end of a job, or their turn. */
const awaited: EventType[] = ['job.question_asked', 'job.ready_for_customer_review', 'job.rejected', 'job.canceled'];

/** How to wait for events after `after`. A space follows the path, so that it can be copied. */
export function waitFor(jobId: string | undefined, types: AccountEventType[], after?: number): string {
  const job = jobId === undefined ? '' : `job_id=${jobId}&`;
  const from = after === undefined ? '' : `&after=${after}`;
  return `Wait with GET /api/v1/events?${job}types=${types.join()}${from}&wait=25 and, if it answers no event, again with after=<its next_after>.`;
}

export const waitForReview = (jobId: string, after?: number): string =>
  `${waitFor(jobId, awaited, after)} Answer a question of the studio. Then approve the delivery or request a revision.`;

/** After a message of the customer, which the studio may answer with one of its own. */
export function waitForReply({ id, status }: Pick<WholeJob, 'id' | 'status'>, after?: number): string {
  const works = !isEnded(status) && status !== 'ready_for_customer_review';
  const types: EventType[] = ['job.message_added', ...(works ? awaited : [])];
  return waitFor(showId('job', id), types, after);
}

/** What the customer does next: decide, answer or wait. Null once the job has ended. */
export async function nextAction(db: Db, job: FoundJob, isSuspended: boolean): Promise<string | null> {
  const id = showId('job', job.id);
  if (isEnded(job.status)) return null;
  if (job.status === 'ready_for_customer_review') return review(id, job.revisions_used, isSuspended);
  if (isSuspended) return waitFor(id, awaited, Number(job.last_event));
  const questions = job.waiting_since === null ? [] : await openQuestions(db, job);
  if (questions.length === 0) return waitForReview(id, Number(job.last_event)); // already answered, or none
  return `The studio asks: ${questions.join('\n\n')}\n\nAnswer with POST /api/v1/jobs/${id}/messages and the clock of the job goes on.`;
}

function review(id: string, round: number, isSuspended: boolean): string {
  const approve = `Look at the delivery. Approve it with POST /api/v1/jobs/${id}/approve?round=${round}`;
  return isSuspended
    ? `${approve} (changes cannot be requested while the account is suspended).`
    : `${approve} or ask for changes with POST /api/v1/jobs/${id}/revision and round ${round}.`;
}

/** The texts of the open questions, oldest first. */
async function openQuestions(db: Db, job: JobKey): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select text from job_messages
    where account_id = ${job.account_id} and job_id = ${job.id} and question and answered_at is null
      and closed_at is null and withdrawn_at is null
    order by id`.execute(db);
  return rows.map(({ text }) => text);
}
