import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import type { DeskJobListItem } from '../../app/api.ts';
import { sayAge, sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayMoment, sayNear, Time, useUtc } from '../../ui/time/time.tsx';

type Job = Pick<DeskJobListItem, 'status' | 'due_at' | 'overdue' | 'review_due_at' | 'revisions' | 'status_changed_at'>;

const day = 24 * 3_600_000;

/** Hours do not matter beyond a day. */
const short = (milliseconds: number) => (milliseconds < day ? milliseconds : milliseconds - (milliseconds % day));

export function DueTime({ job }: { job: Job }) {
  const now = useNow(15_000);
  useUtc();
  if (isEnded(job.status)) return <Time at={job.status_changed_at} />;
  if (job.review_due_at)
    return (
      <span>
        review by{' '}
        <time className="nowrap" dateTime={job.review_due_at} title={sayMoment(job.review_due_at)}>
          {sayNear(job.review_due_at)}
        </time>
      </span>
    );
  // After the first delivery, only the requested changes have a deadline.
  if (job.revisions.used > 0)
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
        <time dateTime={job.due_at} title={sayMoment(job.due_at)}>
          {sayDuration(short(-left))} over
        </time>
      </span>
    );
  return (
    <time className="nowrap" dateTime={job.due_at} title={sayMoment(job.due_at)}>
      {left < day ? `in ${sayDuration(left)}` : sayNear(job.due_at)}
    </time>
  );
}

export const dueFact = (job: Job): [string, ReactNode] => [dueTerm(job), <DueTime key="due" job={job} />];

function dueTerm({ status, review_due_at, revisions }: Job): string {
  if (isEnded(status)) return 'Ended';
  if (review_due_at) return 'With customer';
  return revisions.used > 0 ? 'Next delivery' : 'Due';
}

export function Age({ at }: { at: string }) {
  useUtc();
  const ago = useNow(60_000) - Date.parse(at);
  return (
    <time className="nowrap" dateTime={at} title={sayMoment(at)}>
      {sayAge(ago)}
    </time>
  );
}
