import { IconAlertTriangle } from '@tabler/icons-react';
import { isEnded } from '../../contract/moves.ts';
import type { DeskJobListItem } from '../api.ts';
import { sayDuration, useNow } from '../ui/now.ts';
import { sayMoment, sayNear, Time } from '../ui/time.tsx';

type Job = Pick<DeskJobListItem, 'status' | 'due_at' | 'overdue' | 'review_due_at' | 'revisions' | 'status_changed_at'>;

const soon = 24 * 3_600_000;

/** What the clock says about a job: how late it is, how long is left, or until when the customer looks. */
export function Due({ job }: { job: Job }) {
  const now = useNow(15_000);
  if (isEnded(job.status)) return <Time at={job.status_changed_at} />;
  if (job.review_due_at)
    return (
      <span>
        review by{' '}
        <time dateTime={job.review_due_at} title={sayMoment(job.review_due_at)}>
          {sayNear(job.review_due_at)}
        </time>
      </span>
    );
  // Delivered once: its due time has been met or missed, and what counts now are the changes.
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
      <span className="icon-line bad">
        <IconAlertTriangle size={14} aria-hidden />
        <time dateTime={job.due_at} title={sayMoment(job.due_at)}>
          {sayDuration(-left)} over
        </time>
      </span>
    );
  return (
    <time dateTime={job.due_at} title={sayMoment(job.due_at)}>
      {left < soon ? `in ${sayDuration(left)}` : sayNear(job.due_at)}
    </time>
  );
}
