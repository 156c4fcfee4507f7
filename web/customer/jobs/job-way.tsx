import { Box, Flex } from '@mantine/core';
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
import { sayNextDate } from '../../ui/job/next-date.ts';
import { usePhone } from '../../ui/page/use-phone.ts';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayClock, sayDay, sayDue, sayFull, sayRelative, sayToday, sayWeekday, useUtc } from '../../ui/time/time.tsx';
import { startOfDay } from '../../ui/time/day.ts';
import { sayBesideWish } from '../../ui/time/wish.ts';
import { dueOf, type Step, wayOf } from './job-way.ts';

export function JobWay({ job, events }: { job: Job; events: JobEvent[] }) {
  const now = useNow(10_000);
  const phone = usePhone();
  useUtc();
  const family = useServiceNames().everyFamily.find(({ id }) => id === job.service_family);
  const option = family?.service_options.find(({ id }) => id === job.service_type);
  return (
    <Box
      component="section"
      className={phone ? '' : 'panel'}
      display={phone ? 'block' : 'flex'}
      mb={phone ? 16 : 24}
      aria-label="How far it is"
    >
      <Box component="ol" display="flex" flex={1} p={phone ? '0 0 12px' : 20} style={{ gap: phone ? 4 : 0 }}>
        {wayOf(job, events, option).map((step, index, { length }) => (
          <WayStep key={step.label} step={step} now={now} phone={phone} isLast={index === length - 1} />
        ))}
      </Box>
      <DueDate job={job} now={now} phone={phone} />
    </Box>
  );
}

const marks: Record<Step['state'], [Icon, color: string]> = {
  done: [IconCircleCheck, 'var(--accent)'],
  half: [IconCircleHalf2, 'var(--work)'],
  now: [IconCircleHalf2, 'var(--work)'],
  next: [IconCircleDashed, 'var(--third)'],
  ended: [IconCircleX, 'var(--bad)'],
};

const column = { direction: 'column', pos: 'relative', flex: 1, miw: 0, fz: 13.5 } as const;

type StepProps = { step: Step; now: number; phone: boolean; isLast: boolean };

function WayStep({ step: { label, state, at, ahead }, now, phone, isLast }: StepProps) {
  const [Mark, color] = label === 'Canceled' ? [IconBan, 'var(--third)'] : marks[state];
  const isEnded = state === 'ended';
  const isCurrent = state === 'now' || state === 'half';
  const current = isCurrent || isEnded ? 'step' : undefined;
  return (
    <Flex component="li" {...column} className="second" p={phone ? '10px 0 0' : '0 12px 0 0'} aria-current={current}>
      {(phone || !isLast) && <span className="way-line" style={{ background: lineColor(state, phone) }} />}
      {!phone && <Mark size={18} stroke={1.7} aria-hidden style={{ color, marginBottom: 8 }} />}
      <Box
        component="strong"
        fw={current ? 600 : 500}
        c={phone && isCurrent ? color : state === 'next' ? '' : 'var(--ink)'}
      >
        {label}
      </Box>
      {(!phone || isEnded) && <span className="small">{wordsOf(state, at, ahead, now)}</span>}
    </Flex>
  );
}

/** On a phone the lines stand in place of the icons. */
function lineColor(state: Step['state'], phone: boolean): string {
  if (state === 'done') return 'var(--accent)';
  if (!phone) return 'var(--strong-line)';
  return state === 'now' || state === 'half' ? 'var(--work)' : 'var(--line)';
}

function wordsOf(state: Step['state'], at: string | null, ahead: string, now: number): string {
  if (state === 'ended') return at ? `${sayDay(at)}, ${ahead}` : ahead;
  if (at === null) return ahead;
  return state === 'done' ? sayDay(at) : `since ${sayToday(at, now)}`;
}

/** The only large figure of the page. */
function DueDate({ job, now, phone }: { job: Job; now: number; phone: boolean }) {
  const due = dueOf(job, now);
  const column = { direction: 'column', justify: 'center', align: 'flex-start', gap: 2 } as const;
  const beside = phone ? {} : { w: 320, p: '14px 16px', style: { borderLeft: '1px solid var(--line)' } };
  const paused = job.waiting_since !== null && <Paused since={job.waiting_since} now={now} />;
  if (!due) {
    const unpromised = job.next_date?.kind === 'wish' || job.next_date?.kind === 'none';
    const words = unpromised && <span className="small second">{sayNextDate(job.next_date, now)}</span>;
    return (
      (paused || words) && (
        <Flex {...column} {...beside}>
          {paused || words}
        </Flex>
      )
    );
  }
  const late = due.late > 60_000;
  const delivery = job.revisions.used === 0 ? 'First delivery' : `Changes of round ${job.revisions.used}`;
  return (
    <Flex {...column} {...beside}>
      <span className="small second">{due.ifAnswered ? `${delivery}, if you answer now` : `${delivery} by`}</span>
      <Box
        component="time"
        className={late ? 'bad' : ''}
        fz={24}
        fw={600}
        lh={1.2}
        lts="-0.01em"
        style={{ whiteSpace: 'nowrap' }}
        dateTime={new Date(due.at).toISOString()}
        title={sayFull(due.at)}
      >
        {sayDue(due.at)}
      </Box>
      {paused ? (
        paused
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
    </Flex>
  );
}

const Paused = ({ since, now }: { since: string; now: number }) => (
  <span className="small turn icon-line">
    <IconPlayerPause size={14} aria-hidden /> The clock has stood still since{' '}
    {startOfDay(since) === startOfDay(now) ? sayClock(since) : sayDue(since)}
  </span>
);
