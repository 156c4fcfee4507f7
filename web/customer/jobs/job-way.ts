import { isEnded, type JobStatus } from '../../../contract/moves.ts';
import type { Job, JobEvent, ServiceOption } from '../../app/api.ts';

export type Step = {
  label: string;
  /** `half`: it stands in the queue. */
  state: 'done' | 'half' | 'now' | 'next' | 'ended';
  /** When it began; only of steps that have begun. */
  at: string | null;
  /** Shown beside a step that has not begun. */
  ahead: string;
};

const stepOf: Partial<Record<JobStatus, number>> = {
  queued: 0,
  accepted: 0,
  running: 1,
  needs_review: 2,
  ready_for_customer_review: 3,
  completed: 4,
};
const starts: JobEvent['type'][][] = [
  ['job.created', 'job.revision_requested', 'job.requeued'],
  ['job.started', 'job.returned'],
  ['job.submitted'],
  ['job.ready_for_customer_review'],
];

/** The way of a job from the order to the customer. It ends early with a rejection or a cancellation. */
export function wayOf(job: Job, events: JobEvent[], option: ServiceOption | undefined): Step[] {
  const began = starts.map((types) => events.findLast(({ type }) => types.includes(type)));
  const ended = job.status === 'rejected' || job.status === 'canceled';
  const reached = ended ? lastReached(began) : (stepOf[job.status] ?? 0);
  const ahead = ['', '', 'by a second person', reviewWords(option)];
  const steps = ['Queued', 'In work', 'Check', 'Yours'].map((label, index): Step => ({
    label,
    state: stateOf(index, reached, ended, job.status),
    at: index <= reached ? (began[index]?.created_at ?? null) : null,
    ahead: ahead[index] ?? '',
  }));
  const shown = steps.filter(({ label }) => label !== 'Check' || option?.quality_review !== false);
  if (!ended) return shown;
  const end: Step = {
    label: job.status === 'rejected' ? 'Rejected' : 'Canceled',
    state: 'ended',
    at: job.status_changed_at,
    ahead: wentBack(job, events) ? 'went back to your quota' : 'stays counted',
  };
  return [...shown.filter(({ state }) => state === 'done'), end];
}

function stateOf(index: number, reached: number, ended: boolean, status: JobStatus): Step['state'] {
  if (index < reached || (ended && index === reached) || (index === 0 && status === 'accepted')) return 'done';
  if (index > reached) return 'next';
  return status === 'queued' ? 'half' : 'now';
}

function lastReached(began: (JobEvent | undefined)[]): number {
  const times = began.map((event) => event?.seq ?? -1);
  return times.indexOf(Math.max(...times));
}

function reviewWords(option: ServiceOption | undefined): string {
  if (!option) return 'to review';
  const days = option.auto_approval_hours / 24;
  return days >= 2 ? `to review, ${Math.floor(days)} days` : `to review, ${option.auto_approval_hours} hours`;
}

/** As the service decides it: rejected before any delivery, or canceled before work had begun. */
export function wentBack({ status }: Pick<Job, 'status'>, events: JobEvent[]): boolean {
  if (status === 'rejected') return !events.some(({ type }) => type === 'job.ready_for_customer_review');
  const before = events.find(({ type }) => type === 'job.canceled')?.job.previous_status;
  return (before === 'queued' || before === 'accepted') && !events.some(({ type }) => type === 'job.submitted');
}

export type Due = { at: number; late: number; ifAnswered: boolean };

/** When the delivery of the current round is due: as planned, or if the open question is answered now. */
export function dueOf(job: Job, now: number): Due | null {
  if (isEnded(job.status) || job.status === 'ready_for_customer_review') return null;
  if (job.due_round < job.revisions.used) return null;
  if (job.waiting_since !== null) {
    const left = job.remaining_seconds === null ? null : job.remaining_seconds * 1000;
    return left === null ? null : { at: now + left, late: Math.max(0, -left), ifAnswered: true };
  }
  if (job.due_at === null) return null;
  const at = Date.parse(job.due_at);
  return { at, late: Math.max(0, now - at), ifAnswered: false };
}
