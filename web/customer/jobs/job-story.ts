import type { Job, JobEvent, Message } from '../../app/api.ts';
import { filesOf, isOpenQuestion, messageEntry } from '../../app/message-entry.ts';
import { dueChangeOf, isShown, sayChanged } from '../../ui/job/changes.ts';
import { counted, eventWords, sayUnit, whoDid } from '../../ui/job/words.ts';
import { sayDue } from '../../ui/time/time.tsx';
import type { CommentCounts } from './comment-counts.ts';
import type { StoryEntry, StoryEvent } from '../../ui/thread/story.ts';

/** Without `round`, of the whole job. */
export const archiveUrl = (jobId: string, round?: number) =>
  `/api/v1/jobs/${jobId}/archive${round === undefined ? '' : `?round=${round}`}`;
export const downloadUrl = (fileId: string) => `/api/v1/files/${fileId}/download`;

type SentFor = CommentCounts['sentFor'];
type Reader = { me: string; sentFor: SentFor };

/** Events and messages, oldest first. */
export function storyOf(job: Job, events: JobEvent[], messages: Message[], me: string, sentFor: SentFor = () => 0) {
  const entries: StoryEntry[] = [
    ...eventEntries(job, events, messages, { me, sentFor }),
    ...messages.map((item) => entryOf(job, item)),
  ];
  return entries.toSorted((first, other) => Date.parse(first.at) - Date.parse(other.at));
}

function entryOf(job: Job, message: Message): StoryEntry {
  const { id, created_at: at, author, question } = message;
  // The question itself stands at the top of the page.
  if (isOpenQuestion(message))
    return { kind: 'event', id, at, who: author.name, title: 'asked you; the clock stands still', tone: 'turn' };
  return messageEntry(message, {
    files: filesOf(job.files, message, downloadUrl),
    face: author.kind === 'customer' ? 'person' : 'studio',
    badge: question ? 'question' : undefined,
  });
}

/** Other entries imply these. */
const implied: JobEvent['type'][] = ['job.deliverable_added', 'job.message_added', 'job.question_asked'];

function eventEntries(job: Job, events: JobEvent[], messages: Message[], reader: Reader): StoryEvent[] {
  const sent = new Set(messages.flatMap(({ file_ids }) => file_ids));
  const approved = events.some(({ type }) => type === 'job.approved' || type === 'job.auto_approved');
  const released = events.filter(({ type }) => type === 'job.ready_for_customer_review');
  const changes = events.filter(({ type }) => type === 'job.revision_requested');
  return (
    events
      .filter(isShown)
      .filter(({ type, created_at: at, data }) => {
        if (type === 'job.file_attached') return at !== job.created_at && !sent.has(data.file_id ?? '');
        return !implied.includes(type) && !(type === 'job.completed' && approved);
      })
      // A delivery implies that the work was checked.
      .filter(
        ({ type }, index, all) => type !== 'job.submitted' || all[index + 1]?.type !== 'job.ready_for_customer_review',
      )
      .map((event): StoryEvent => {
        const { id, created_at: at } = event;
        const words = wordsOf(job, event, { round: released.indexOf(event), change: changes.indexOf(event) }, reader);
        return { kind: 'event', id, at, tone: toneOf(job, event), ...words };
      })
  );
}

type Words = Pick<StoryEvent, 'who' | 'title' | 'detail'>;

function wordsOf(job: Job, event: JobEvent, at: { round: number; change: number }, reader: Reader): Words {
  const { type, data } = event;
  const moved = dueChangeOf(job, event);
  if (moved)
    return {
      who: 'The studio',
      title: `${moved.stands ? 'set the time left after your answer to' : 'moved the due date to'} ${moved.to}`,
      detail: `“${moved.reason}”`,
    };
  const byStudio = type === 'job.created' && event.actor === 'operator';
  const who = event.actor === 'customer' || byStudio ? whoDid(event, reader.me) : undefined;
  if (byStudio) return { who, title: 'ordered the job for you' };
  if (type === 'job.rejected' || type === 'job.canceled') {
    const detail = [job.reason?.message, sayUnit(data)].filter(Boolean).join(' ') || undefined;
    return { who, title: eventWords[type], detail };
  }
  if (type === 'job.question_answered' && data.due_at)
    return { who, title: `answered. The clock runs again: ${sayDue(data.due_at)}` };
  if (type === 'job.due_date_changed' && data.due_at) return { title: `The clock runs again: ${sayDue(data.due_at)}` };
  if (type === 'job.ready_for_customer_review') return { title: deliveryWords(job, at.round) };
  if (type === 'job.updated') return { who, title: `changed ${sayChanged(data)}` };
  if (type === 'job.approved' && job.deliveries.length > 1)
    return { who, title: `approved delivery ${(data.round ?? 0) + 1}` };
  if (type !== 'job.revision_requested') return { who, title: eventWords[type] };
  const words = job.revision_requests[at.change]?.customer_instructions;
  const comments = reader.sentFor(at.change + 1);
  const about = comments > 0 ? `: ${counted(comments, 'comment')}` : '';
  const due = data.due_at ? `, due ${sayDue(data.due_at)}` : '';
  const title = `${eventWords[type]}, round ${at.change + 1} of ${job.revisions.included}${due}${about}`;
  return { who, title, detail: words && `“${words}”` };
}

/** The delivery that waits, or an earlier one by its number. */
function deliveryWords(job: Job, round: number): string {
  const files = job.deliveries[round]?.file_ids.length ?? 0;
  const waits = job.status === 'ready_for_customer_review' && round === job.deliveries.length - 1;
  const words = waits ? eventWords['job.ready_for_customer_review'] : `Delivery ${round + 1}`;
  return files > 0 ? `${words}, ${counted(files, 'file')}` : words;
}

function toneOf(job: Job, { type, actor, data }: JobEvent): StoryEvent['tone'] {
  if (type === 'job.ready_for_customer_review')
    return job.status === 'ready_for_customer_review' && (data.round ?? 0) === job.revisions.used ? 'turn' : undefined;
  if (type === 'job.rejected') return 'bad';
  return actor === 'customer' ? 'you' : undefined;
}
