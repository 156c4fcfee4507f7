import { IconAlertTriangle, IconCalendarExclamation, IconPlayerPause } from '../../ui/look/icons.ts';
import type { ReactNode } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import type { DeskJob, DeskJobListItem } from '../../app/api.ts';
import { optionalFacts } from '../../ui/job/optional-facts.tsx';
import { creatorWords, sourceWords } from '../../ui/job/words.ts';
import { sayAge, sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayMoment, sayNear, sayWeekday, Time, useUtc } from '../../ui/time/time.tsx';

type Job = Pick<
  DeskJobListItem,
  'status' | 'due_at' | 'due_round' | 'waiting_since' | 'overdue' | 'review_due_at' | 'revisions' | 'status_changed_at'
>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** "3h 10m", and never "0m". */
export const sayLeft = (milliseconds: number) => (milliseconds < minute ? 'under a minute' : sayDuration(milliseconds));

/** Hours do not matter beyond a day. */
const short = (milliseconds: number) => (milliseconds < day ? milliseconds : milliseconds - (milliseconds % day));

export function DueTime({ job }: { job: Job }) {
  const now = useNow(15_000);
  useUtc();
  if (isEnded(job.status)) return <Time at={job.status_changed_at} />;
  if (job.review_due_at)
    return (
      <span>
        review by <Moment at={job.review_due_at}>{sayNear(job.review_due_at)}</Moment>
      </span>
    );
  if (job.waiting_since)
    return (
      <span className="icon-line turn nowrap">
        <IconPlayerPause size={14} aria-hidden />
        <Moment at={job.waiting_since}>waits {sayDuration(Math.max(0, now - Date.parse(job.waiting_since)))}</Moment>
      </span>
    );
  // A round of changes may have no due date of its own.
  if (job.due_round < job.revisions.used)
    return (
      <span className="turn">
        round {job.revisions.used} of {job.revisions.included}
      </span>
    );
  if (!job.due_at) return null;
  const left = Date.parse(job.due_at) - now;
  if (left <= 0)
    return (
      <span className="icon-line bad nowrap">
        <IconAlertTriangle size={14} aria-hidden />
        <Moment at={job.due_at}>{-left < minute ? 'just over' : `${sayDuration(short(-left))} over`}</Moment>
      </span>
    );
  return <Moment at={job.due_at}>{left < day ? `in ${sayLeft(left)}` : sayNear(job.due_at)}</Moment>;
}

/** Short words for a moment; its title has the whole. */
const Moment = ({ at, children }: { at: string; children: ReactNode }) => (
  <time className="nowrap" dateTime={at} title={sayMoment(at)}>
    {children}
  </time>
);

type Wished = Job & Pick<DeskJobListItem, 'wanted_by'>;

/** Whether the customer wishes to have the first delivery before it is due. */
const isWishedEarlier = ({ wanted_by: wish, due_at, status, review_due_at, revisions }: Wished): boolean =>
  wish !== null && due_at !== null && wish < due_at && !review_due_at && revisions.used === 0 && !isEnded(status);

export function WishMark({ job }: { job: Wished }) {
  useUtc();
  if (job.wanted_by === null || !isWishedEarlier(job)) return null;
  const words = `Wished for ${sayWeekday(job.wanted_by)}, before it is due`;
  return (
    <span className="turn" role="img" aria-label={words} title={words}>
      <IconCalendarExclamation size={14} aria-hidden />
    </span>
  );
}

export const dueFacts = (job: Wished): [string, ReactNode][] => [
  [dueTerm(job), <DueTime key="due" job={job} />],
  [
    'Wished for',
    job.wanted_by && (
      <span key="wish" className={isWishedEarlier(job) ? 'turn' : undefined}>
        <Time at={job.wanted_by} as="weekday" />
        {isWishedEarlier(job) && ', before it is due'}
      </span>
    ),
  ],
];

export const orderFacts = (job: DeskJob): [string, ReactNode][] => [
  ['Ordered by', creatorWords(job)],
  ['Ordered', <Time key="ordered" at={job.created_at} as={job.imported_at ? 'day' : 'moment'} />],
  // The wish has a fact of its own, beside the due date.
  ...optionalFacts({ ...job, wanted_by: null }, 'Customer’s'),
  ['Through', !job.imported_at && sourceWords[job.source]],
  ['Imported', job.imported_at && <Time key="imported" at={job.imported_at} as="day" />],
];

function dueTerm({ status, review_due_at, revisions, waiting_since }: Job): string {
  if (isEnded(status)) return 'Ended';
  if (waiting_since) return 'Clock';
  if (review_due_at) return 'With customer';
  return revisions.used > 0 ? 'Next delivery' : 'Due';
}

export function Age({ at }: { at: string }) {
  useUtc();
  const ago = useNow(60_000) - Date.parse(at);
  return <Moment at={at}>{sayAge(ago)}</Moment>;
}
