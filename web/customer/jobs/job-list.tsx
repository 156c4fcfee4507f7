import { customerPages } from '../../../contract/pages.ts';
import type { JobListItem } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { type Column, List } from '../../ui/list/list.tsx';
import { WithPicture } from '../../ui/list/row-picture.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { JobStatus } from '../../ui/job/status.tsx';
import { isLate, sayNextDate } from '../../ui/job/next-date.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayFull, sayWeekday, Time, useUtc } from '../../ui/time/time.tsx';
import { creatorWords, rejectionWords } from '../../ui/job/words.ts';
import { useUnread } from '../turn.ts';
import { detailOf } from './home-rows.ts';

type Props = {
  label: string;
  rows: JobListItem[] | undefined;
  /** Says what each job is about now, in the place of when it changed. */
  isHome?: boolean;
};

export function JobList({ label, rows, isHome = false }: Props) {
  const { service, optionName } = useServiceNames();
  const unread = useUnread();
  const columns: Column<JobListItem>[] = [
    {
      head: 'Job',
      width: '42%',
      cell: (job) => (
        <WithPicture cover={job.cover} letter={job.created_by.kind === 'user' ? undefined : job.created_by.name}>
          {job.customer_title} {unread.of(job.id) > 0 && <span className="unread">{unread.of(job.id)} new</span>}
          <span className="cell-second">
            {(isHome ? optionName : service)(job.service_family, job.service_type)}
            {job.created_by.kind !== 'user' &&
              `, ordered ${job.created_by.kind === 'operator' ? 'for you ' : ''}by ${creatorWords(job)}`}
            {isHome && <Detail job={job} />}
          </span>
        </WithPicture>
      ),
    },
    { head: 'State', width: '20%', cell: (job) => <JobStatus job={job} /> },
    { head: 'Next', cell: (job) => <Next job={job} /> },
    ...(isHome ? [] : [changed]),
  ];
  const href = ({ id }: JobListItem) => pathTo(customerPages.job, { id });
  return <List label={label} rows={rows} columns={columns} rowKey={({ id }) => id} href={href} />;
}

const changed: Column<JobListItem> = {
  head: 'Changed',
  end: true,
  cell: ({ status_changed_at }) => <Time at={status_changed_at} />,
};

function Detail({ job }: { job: JobListItem }) {
  const words = detailOf(job, sayWeekday);
  return words && <bdi> · {words}</bdi>;
}

function Next({ job: { reason, next_date: next } }: { job: JobListItem }) {
  const now = useNow(60_000);
  useUtc();
  if (reason) return rejectionWords[reason.code] ?? reason.message;
  const words = sayNextDate(next, now);
  if (!next?.falls_at) return words;
  return (
    <time className={isLate(next, now) ? 'bad' : ''} dateTime={next.falls_at} title={sayFull(next.falls_at)}>
      {words}
    </time>
  );
}
