import type { JobStatus } from '../../../contract/moves.ts';
import type { DeskJob, JobEvent } from '../../app/api.ts';

export const deskEventWords: Record<JobEvent['type'], string> = {
  'job.created': 'Ordered',
  'job.accepted': 'Accepted',
  'job.started': 'Work started',
  'job.submitted': 'Submitted',
  'job.returned': 'Returned for more work',
  'job.ready_for_customer_review': 'Passed to the customer',
  'job.revision_requested': 'The customer asked for changes',
  'job.approved': 'The customer approved',
  'job.auto_approved': 'Approved automatically, because the time for review was over',
  'job.completed': 'Completed',
  'job.canceled': 'The customer canceled',
  'job.rejected': 'Rejected',
  'job.requeued': 'Went back to the queue',
  'job.file_attached': 'The customer attached a file',
  'job.deliverable_added': 'A file was delivered',
  'job.message_added': 'A message was sent',
  'job.question_asked': 'The customer was asked, and the clock stopped',
  'job.question_answered': 'The customer answered, and the clock went on',
  'job.due_date_changed': 'The due date changed',
  'job.updated': 'The customer changed the details',
  'order.confirmed': 'An owner or admin of the customer confirmed the order',
};

/** The status for the middle of a sentence, after somebody else was faster. */
export const statusNow: Record<JobStatus, string> = {
  queued: 'queued again',
  accepted: 'accepted',
  running: 'in work',
  needs_review: 'in review',
  ready_for_customer_review: 'with the customer',
  completed: 'completed',
  rejected: 'rejected',
  canceled: 'canceled by the customer',
};

export function firstWords({ status, holder }: Pick<DeskJob, 'status' | 'holder'>, me: string): string {
  if (holder?.operator_id === me) return `You hold this job already; it is ${statusNow[status]}.`;
  return holder
    ? `${holder.name} was first: the job is ${statusNow[status]}.`
    : `Somebody was first: the job is ${statusNow[status]}.`;
}

/** What happened to a job meanwhile. `news`: what its holder was told, such as "Released by Ben". */
export function sayInterruption({ status }: Pick<DeskJob, 'status'>, events: JobEvent[], news?: string): string {
  if (status === 'canceled') return `${events.at(-1)?.created_by?.name ?? 'The customer'} canceled this job.`;
  return news === undefined ? `This job is now ${statusNow[status]}.` : `${news}.`;
}
