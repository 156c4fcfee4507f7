import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconPlayerPause,
} from '../../ui/look/icons.ts';
import type { Icon } from '../../ui/look/icon.ts';
import type { Job, JobEvent } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayClock, sayDay, sayDue, sayFull, sayRelative, sayToday, sayWeekday, useUtc } from '../../ui/time/time.tsx';
import { startOfDay } from '../../ui/time/day.ts';
import { sayBesideWish } from '../../ui/time/wish.ts';
import { dueOf, type Step, wayOf } from './job-way.ts';

/** How far the job is, and when its next delivery is due. */
export function JobWay({ job, events }: { job: Job; events: JobEvent[] }) {
  const now = useNow(10_000);
  useUtc();
  const { families } = useServiceNames();
  const option = families
    .find(({ id }) => id === job.service_family)
    ?.service_options.find(({ id }) => id === job.service_type);
  return (
    <section className="panel way" aria-label="How far it is">
      <ol className="way-steps">
        {wayOf(job, events, option).map((step) => (
          <WayStep key={step.label} step={step} now={now} />
        ))}
      </ol>
      <DueDate job={job} now={now} />
    </section>
  );
}

const marks: Record<Step['state'], Icon> = {
  done: IconCircleCheck,
  half: IconCircleHalf2,
  now: IconCircleHalf2,
  next: IconCircleDashed,
  ended: IconCircleX,
};

function WayStep({ step: { label, state, at, ahead }, now }: { step: Step; now: number }) {
  const Mark = label === 'Canceled' ? IconBan : marks[state];
  const current = state === 'now' || state === 'half' || state === 'ended';
  return (
    <li className={`way-step ${state} ${label.toLowerCase()}`} {...(current ? { 'aria-current': 'step' } : {})}>
      <Mark size={18} stroke={1.7} aria-hidden />
      <strong>{label}</strong>
      <span className="way-words">{wordsOf(state, at, ahead, now)}</span>
    </li>
  );
}

function wordsOf(state: Step['state'], at: string | null, ahead: string, now: number): string {
  if (state === 'ended') return at ? `${sayDay(at)}, ${ahead}` : ahead;
  if (at === null) return ahead;
  return state === 'done' ? sayDay(at) : `since ${sayToday(at, now)}`;
}

/** The only large figure of the page. */
function DueDate({ job, now }: { job: Job; now: number }) {
  const due = dueOf(job, now);
  if (!due)
    return job.waiting_since === null ? null : (
      <p className="way-due">{<Paused since={job.waiting_since} now={now} />}</p>
    );
  const late = due.late > 60_000;
  const delivery = job.revisions.used === 0 ? 'First delivery' : 'Changes requested, next delivery';
  return (
    <div className="way-due">
      <span className="small second">{due.ifAnswered ? `${delivery}, if you answer now` : `${delivery} by`}</span>
      <time
        className={late ? 'way-date bad' : 'way-date'}
        dateTime={new Date(due.at).toISOString()}
        title={sayFull(due.at)}
      >
        {sayDue(due.at)}
      </time>
      {job.waiting_since !== null ? (
        <Paused since={job.waiting_since} now={now} />
      ) : late ? (
        <span className="small bad">{sayDuration(due.late)} late</span>
      ) : (
        <span className="small second">
          {sayRelative(due.at, now)}
          {job.wanted_by !== null && (
            <>
              {' '}
              · {sayBesideWish(job.wanted_by, due.at)}, <span className="nowrap">{sayWeekday(job.wanted_by)}</span>
            </>
          )}
        </span>
      )}
    </div>
  );
}

const Paused = ({ since, now }: { since: string; now: number }) => (
  <span className="small turn icon-line">
    <IconPlayerPause size={14} aria-hidden /> The clock stands still since{' '}
    {startOfDay(since) === startOfDay(now) ? sayClock(since) : sayDue(since)}
  </span>
);
