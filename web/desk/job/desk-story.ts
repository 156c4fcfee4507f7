import type { AuditEntry, DeskJob, JobEvent, Message, ReviewComment } from '../../app/api.ts';
import { filesOf, isOpenQuestion, messageEntry } from '../../app/message-entry.ts';
import { dueChangeOf, isShown, sayChanged } from '../../ui/job/changes.ts';
import { counted, creatorWords, sayUnit } from '../../ui/job/words.ts';
import type { StoryEntry, StoryEvent, StoryMessage } from '../../ui/thread/story.ts';
import { sayMoment } from '../../ui/time/time.tsx';
import { nameOf } from './done-by.ts';
import { deskFileUrl } from './send-deliverable.ts';
import { deskEventWords } from './words.ts';

export type Part = 'all' | 'words' | 'notes';

type Sources = {
  job: DeskJob;
  events: JobEvent[];
  messages: Message[];
  /** That came with requests for changes, of all rounds. */
  comments: ReviewComment[];
  audit: Pick<AuditEntry, 'id' | 'action' | 'created_by' | 'details' | 'created_at'>[];
  /** The reader. */
  me: string;
  operatorName: (id: unknown) => string | undefined;
};

/** Events, messages and internal notes, oldest first. */
export function deskStory(sources: Sources, part: Part = 'all'): StoryEntry[] {
  const { job, messages, audit, me, operatorName } = sources;
  const holds = audit.filter(({ action }) => action === 'job.held').map((entry) => holdEntry(entry, operatorName));
  const entries: StoryEntry[] = [
    ...(part === 'all' ? [...eventEntries(sources), ...holds] : []),
    ...(part === 'notes' ? [] : messages.map((message) => entryOf(job, message))),
    ...(part === 'words' ? [] : job.notes.map((note) => noteEntry(note, me))),
  ];
  return entries.toSorted((first, other) => Date.parse(first.at) - Date.parse(other.at));
}

export function holdEntry(
  { id, created_by: by, details, created_at: at }: Sources['audit'][number],
  operatorName: Sources['operatorName'],
): StoryEvent {
  const own = details['holder'] === by?.id;
  const title = own
    ? 'took the job over'
    : `handed the job over to ${operatorName(details['holder']) ?? 'a colleague'}`;
  return { kind: 'event', id, at, who: by?.name, title };
}

const noteEntry = (note: DeskJob['notes'][number], me: string): StoryMessage => ({
  kind: 'note',
  id: note.id,
  at: note.created_at,
  author: { name: note.created_by.name, face: 'person' },
  you: note.created_by.id === me,
  text: note.body,
  files: [],
  takeBackUntil: null,
});

const entryOf = (job: DeskJob, message: Message): StoryEntry =>
  messageEntry(message, {
    files: filesOf(job.files, message, deskFileUrl),
    face: 'person',
    badge: badgeOf(message),
  });

function badgeOf(message: Message): string | undefined {
  if (!message.question) return undefined;
  if (isOpenQuestion(message)) return 'question, open';
  return message.answered_at ? 'question, answered' : 'question, closed';
}

/** Other entries imply these. */
const implied: JobEvent['type'][] = ['job.deliverable_added', 'job.message_added', 'job.question_asked'];

function eventEntries(sources: Sources): StoryEvent[] {
  const { job, events } = sources;
  const changes = events.filter(({ type }) => type === 'job.revision_requested');
  return events
    .filter((event) => isShown(event) && !implied.includes(event.type))
    .map((event): StoryEvent => {
      const { id, type, actor, created_at: at } = event;
      const who = event.created_by
        ? creatorWords({ created_by: event.created_by })
        : (nameOf(job, event) ?? (actor === 'worker' ? 'a worker' : undefined));
      const said = type === 'job.rejected' ? job.reason?.message : dueChangeOf(job, event)?.reason;
      const reason = [said, sayUnit(event.data)].filter(Boolean).join(' ');
      return {
        kind: 'event',
        id,
        at,
        title: titleOf(sources, event, changes.indexOf(event) + 1),
        detail: [who && `by ${who}`, reason].filter(Boolean).join(': ') || undefined,
        tone: actor === 'customer' ? 'you' : type === 'job.rejected' ? 'bad' : undefined,
      };
    });
}

/** `round`: of the requested changes; 0 for other events. */
function titleOf({ job, comments }: Sources, event: JobEvent, round: number): string {
  const { type, data } = event;
  const moved = dueChangeOf(job, event);
  if (moved) return moved.stands ? `Time left on the clock set to ${moved.to}` : `Due date moved to ${moved.to}`;
  if (data.due_at && (type === 'job.question_answered' || type === 'job.due_date_changed'))
    return `The clock runs again, due ${sayMoment(data.due_at)}`;
  if (type === 'job.updated') return `The customer changed ${sayChanged(data)}`;
  if (round === 0) return deskEventWords[type];
  const due = data.due_at ? `, due ${sayMoment(data.due_at)}` : '';
  const sent = comments.filter((comment) => comment.round === round - 1).length;
  const about = sent > 0 ? `: ${counted(sent, 'comment')}` : '';
  return `${deskEventWords[type]}, round ${round} of ${job.revisions.included}${due}${about}`;
}
