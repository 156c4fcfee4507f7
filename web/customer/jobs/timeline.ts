import type { Job, JobEvent } from '../../app/api.ts';
import { creatorWords, eventWords } from '../../ui/job/words.ts';
import type { TimelineEntry } from '../../ui/time/timeline.tsx';

/** `waits`: a delivery that will be approved automatically. */
type JobEntry = TimelineEntry & { waits: boolean };

/** Newest first, without events that another entry implies. */
export function timelineOf(job: Job, events: JobEvent[], me: string): JobEntry[] {
  const handedOver = events.findLast(({ type }) => type === 'job.ready_for_customer_review');
  const approved = events.some(({ type }) => type === 'job.approved' || type === 'job.auto_approved');
  let round = 0;
  return events
    .filter(({ type, created_at: at }) => {
      if (type === 'job.file_attached') return at !== job.created_at;
      return type !== 'job.deliverable_added' && !(type === 'job.completed' && approved);
    })
    .map((event): JobEntry => {
      const { id, type, created_at: at } = event;
      const waits = event === handedOver && job.review_due_at !== null;
      if (type !== 'job.revision_requested') {
        const title = type === 'job.created' ? orderedWords(job, me) : eventWords[type];
        return { id, title, at, tone: toneOf(event), detail: type === 'job.rejected' && job.reason?.message, waits };
      }
      round += 1;
      const words = job.revision_requests.find((item) => item.round === round)?.customer_instructions;
      const title = `${eventWords[type]}, round ${round} of ${job.revisions.included}`;
      return { id, title, at, tone: 'you', detail: words && `“${words}”`, waits };
    })
    .toReversed();
}

/** A colleague or a program may have ordered it. */
const orderedWords = (job: Job, me: string) =>
  job.created_by.id === me ? eventWords['job.created'] : `Ordered by ${creatorWords(job)}`;

function toneOf({ type, actor }: JobEvent): TimelineEntry['tone'] {
  if (type === 'job.ready_for_customer_review') return 'yours';
  if (type === 'job.rejected') return 'bad';
  return actor === 'customer' ? 'you' : undefined;
}
