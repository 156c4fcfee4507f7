import { sql } from 'kysely';
import type { EventType } from '../../contract/job.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { JobKey } from './job-event.ts';
import type { WholeJob } from './job.ts';

/** Events that a customer waits for while the studio works: the end of a job, or their turn. */
const awaited: EventType[] = ['job.question_asked', 'job.ready_for_customer_review', 'job.rejected', 'job.canceled'];

/** How to wait for a job. `after` is the seq of a revision, which rules out the delivery before it. */
export function waitForReview(jobId: string, after?: number): string {
  const from = after === undefined ? '' : `&after=${after}`;
  return `Wait with GET /api/v1/events?job_id=${jobId}&types=${awaited.join()}${from}&wait=25 (tool wait_for_events, the same fields). If it answers no event, repeat it with after=<its next_after>. Answer a question of the studio. Then approve the delivery or request a revision.`;
}

/** What is asked of the customer, or null. The questions of a waiting job are what the studio wrote. */
export async function askedOfCustomer(db: Db, job: WholeJob): Promise<string | null> {
  const path = `/api/v1/jobs/${showId('job', job.id)}`;
  if (job.status === 'ready_for_customer_review')
    return `Look at the delivery. Approve it with POST ${path}/approve (tool approve_job), or ask for changes with POST ${path}/revision (tool request_revision).`;
  if (job.waiting_since === null) return null;
  const questions = await openQuestions(db, job);
  if (questions.length === 0) return null; // answered meanwhile
  return `The studio asks: ${questions.join('\n\n')}\n\nAnswer with POST ${path}/messages (tool send_message). The clock of the job stands still until then.`;
}

/** What a suspended account can still do about a job, or null. */
export function whileSuspended({ id, status }: WholeJob): string | null {
  if (status !== 'ready_for_customer_review') return null;
  return `Look at the delivery. Approve it with POST /api/v1/jobs/${showId('job', id)}/approve (tool approve_job). The account is suspended, so changes cannot be requested.`;
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
