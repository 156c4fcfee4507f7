import { Box, Button } from '@mantine/core';
import { IconPlayerPause } from '../../ui/look/icons.ts';
import { type DeskJob, type Message } from '../../app/api.ts';
import { isOpenQuestion } from '../../app/message-entry.ts';
import { Facts } from '../../ui/page/page.tsx';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { sayMoment, Time, useUtc } from '../../ui/time/time.tsx';
import { useDeskThread } from './talk.tsx';
import { reminderAfter, sayLeft } from './clock-words.ts';
import { useMoves } from './use-moves.ts';

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
