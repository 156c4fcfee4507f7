import type { EventType } from '../../contract/job.ts';

/** Events that a customer waits for while the studio works: the end of a job, or their turn. */
const awaited: EventType[] = ['job.ready_for_customer_review', 'job.rejected', 'job.canceled'];

/** How to wait for a job. `after` is the seq of a revision, which rules out the delivery before it. */
export function waitForReview(jobId: string, after?: number): string {
  const from = after === undefined ? '' : `&after=${after}`;
  return `Wait with GET /api/v1/events?job_id=${jobId}&types=${awaited.join()}${from}&wait=25 (tool wait_for_events, the same fields). If it answers no event, repeat it with after=<its next_after>. Then approve the delivery or request a revision.`;
}
