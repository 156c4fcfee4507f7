import { isEnded } from '../../../contract/moves.ts';
import type { JobListItem } from '../../app/api.ts';
import type { Column } from '../../ui/list/list.tsx';
import { JobStatus } from '../../ui/job/status.tsx';
import { Time } from '../../ui/time/time.tsx';
import { creatorWords, rejectionWords } from '../../ui/job/words.ts';

export const columns = (
  service: (family: string, type: string) => string,
  unreadOf: (jobId: string) => number,
): Column<JobListItem>[] => [
  {
    head: 'Job',
    width: '42%',
    cell: (job) => (
      <>
        {job.customer_title} {unreadOf(job.id) > 0 && <span className="unread">{unreadOf(job.id)} new</span>}
        <span className="cell-second">
          {service(job.service_family, job.service_type)}
          {job.created_by.kind !== 'user' && `, ordered by ${creatorWords(job)}`}
        </span>
      </>
    ),
  },
  { head: 'State', width: '20%', cell: (job) => <JobStatus job={job} /> },
  { head: 'Next', cell: (job) => <Next job={job} /> },
  { head: 'Changed', end: true, cell: ({ status_changed_at }) => <Time at={status_changed_at} /> },
];

function Next({ job }: { job: JobListItem }) {
  if (job.review_due_at)
    return (
      <>
        Review by <Time at={job.review_due_at} as="day" />
      </>
    );
  if (job.waiting_since)
    return (
      <>
        The clock stands still since <Time at={job.waiting_since} />
      </>
    );
  if (job.reason) return rejectionWords[job.reason.code] ?? job.reason.message;
  if (job.due_at && job.due_round === job.revisions.used && !isEnded(job.status))
    return (
      <>
        Due <Time at={job.due_at} />
      </>
    );
  return null;
}
