import { Box, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DeskJob, Message } from '../../app/api.ts';
import { isOpenQuestion } from '../../app/message-entry.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconClock, IconPlayerPause } from '../../ui/look/icons.ts';
import { Facts, Panel } from '../../ui/page/page.tsx';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayMoment, Time, useUtc } from '../../ui/time/time.tsx';
import { reminderAfter, sayLeft } from './clock-words.ts';
import { keptLease, type Lease, useLease } from './lease.ts';
import { useDeskThread } from './talk.tsx';
import { useMoves } from './use-moves.ts';

export function HoldPanel({ job }: { job: DeskJob }) {
  const { me } = useMoves(job);
  const lease = useLease(job, me);
  const lost = useLostHold(job, me, lease);
  if (lost) return <LostHold holder={job.holder?.operator_id === me ? null : job.holder} />;
  if (lease) return <LeasePanel lease={lease} />;
  // The clock panel names the holder while the job waits.
  if (!job.holder || job.waiting_on !== null) return null;
  const mine = job.holder.operator_id === me;
  return (
    <Panel title={mine ? 'Yours' : `Held by ${job.holder.name}`}>
      <p className="second">
        since <Time at={job.holder.since} as="moment" />
        {job.holder.lease_expires_at && <Until at={job.holder.lease_expires_at} />}
      </p>
    </Panel>
  );
}

/** If another worker dies, its lease ends here. */
function Until({ at }: { at: string }) {
  const left = Date.parse(at) - useNow(1_000);
  return <span className="numbers"> · hold ends in {sayDuration(Math.max(0, left), 'second')}</span>;
}

const minute = 60_000;

/** Visibly counts down: "14 min 05 sec". */
const sayCountdown = (left: number) =>
  [left >= minute && sayDuration(left - (left % minute)), sayDuration(left % minute, 'second')]
    .filter(Boolean)
    .join(' ');

function LeasePanel({ lease }: { lease: Lease }) {
  return (
    <section className="panel" aria-label="Your hold">
      <div className="panel-body stack-small">
        <div className="row between">
          <span className="second small">Yours for</span>
          <ActionButton keys="e" variant="default" size="xs" h={28} loading={lease.extending} onClick={lease.extend}>
            Extend
          </ActionButton>
        </div>
        <Box className={lease.ending ? 'numbers turn' : 'numbers'} fz={20} fw={600} role="timer">
          {sayCountdown(lease.left)}
        </Box>
        <div className="bar" role="img" aria-label={`${Math.round(lease.share * 100)} percent of the time left`}>
          <span style={{ width: `${lease.share * 100}%` }} />
        </div>
        <span className="second small">
          Extended automatically while this page is open. When it ends, the job is free again.
        </span>
        {lease.ending && (
          <div className="note turn" role="alert">
            <strong>You are about to lose this job.</strong> The last extension did not arrive. Extend it now; what you
            prepared stays here.
          </div>
        )}
      </div>
    </section>
  );
}

/** Whether this page has lost its lease on the job. */
function useLostHold(job: DeskJob, me: string, lease: Lease | null): boolean {
  const [had, setHad] = useState(() => keptLease(job.id) !== null);
  const now = job.holder?.operator_id === me;
  useEffect(() => {
    if (lease) setHad(true);
    // This operator gave the lease up, so it was not lost.
    if (keptLease(job.id) === null) setHad(false);
  }, [lease, job.id]);
  const working = ['queued', 'accepted', 'running'].includes(job.status);
  return had && working && keptLease(job.id) !== null && (!now || lease?.left === 0);
}

/** The next move takes the job again. */
const LostHold = ({ holder }: Pick<DeskJob, 'holder'>) => (
  <section className="panel" aria-label="Your hold">
    <div className="panel-body stack-small" role="alert">
      <strong className="icon-line bad">
        <IconClock size={16} aria-hidden /> Your hold has ended
      </strong>
      <span className="second">
        {holder
          ? `${holder.name} holds the job now.`
          : 'No extension arrived in time, so the job went back to the queue.'}{' '}
        Your draft and your files are still here.
      </span>
    </div>
  </section>
);

/** How long the clock stands still, and what happens with the answer. */
export function ClockPanel({ job, messages }: { job: DeskJob; messages: Message[] }) {
  const now = useNow(30_000);
  useUtc();
  const { me } = useMoves(job);
  const { takeBack, withdrawing } = useDeskThread(job);
  if (job.waiting_since === null) return null;
  const since = Date.parse(job.waiting_since);
  const left = (job.remaining_seconds ?? 0) * 1_000;
  const questions = messages.filter(isOpenQuestion);
  const first = questions.at(-1);
  const hasClock = job.remaining_seconds !== null;
  const reminder = reminderAfter(since, now);
  const moved = job.due_date_changes.some(({ created_at: at }) => Date.parse(at) > since);
  return (
    <section className="panel lined" aria-label="The clock stands still">
      <div className="panel-body stack-small">
        <Box className="icon-line turn" fz={13} fw={500}>
          <IconPlayerPause size={16} aria-hidden /> The clock stands still
        </Box>
        <Box className="numbers" fz={24} fw={600} lh={1.2} role="timer">
          {sayDuration(Math.max(0, now - since))}
        </Box>
        <span className="second small">
          since {first?.mine ? 'your' : first ? `${first.author.name}’s` : 'the'} question{' '}
          <Time at={job.waiting_since} as="moment" />. {hasClock && sayLeft(left)}
        </span>
        <Button
          variant="default"
          loading={withdrawing}
          disabled={questions.length === 0}
          onClick={() => questions.forEach(({ id }) => takeBack(id))}
        >
          {questions.length > 1 ? `Withdraw the ${questions.length} questions` : 'Withdraw the question'}
        </Button>
      </div>
      <div className="panel-body">
        <Facts
          facts={[
            ['Holder', job.holder && `${job.holder.operator_id === me ? 'You' : job.holder.name}, kept meanwhile`],
            ['Was due', hasClock && !moved && sayMoment(since + left)],
            ['Due, if answered now', hasClock && sayMoment(now + left)],
            ['Reminder', reminder && <Time key="reminder" at={new Date(reminder).toISOString()} as="moment" />],
          ]}
        />
      </div>
    </section>
  );
}
