import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconEye, IconPlayerPause } from '../../ui/look/icons.ts';
import { Link } from '@tanstack/react-router';
import type { DeskJob } from '../../app/api.ts';
import { Status } from '../../ui/job/status.tsx';
import { Identifier } from '../../ui/page/code.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { queuePlace } from '../queue/queue-place.ts';
import { StandingLine } from '../standing.tsx';
import { useMoves } from './use-moves.ts';
import { useColleaguesAt } from './viewers.ts';
import type { Walk } from './walk.ts';

export const JobHead = ({ job, walk }: { job: DeskJob; walk: Walk }) => (
  <PageHead
    title={job.customer_title}
    documentTitle="Job"
    above={
      <span className="row" style={{ gap: 4 }}>
        <Link to={queuePlace()}>Queue</Link> / {walk.position && <>{walk.tab} / </>}
        <Identifier id={job.id} />
      </span>
    }
    beside={
      <span role="status" className="row">
        <Status status={job.status} side="desk" />
        {job.waiting_on && (
          <span className="status turn">
            <IconPlayerPause size={14} stroke={1.8} aria-hidden /> Waits for the customer
          </span>
        )}
      </span>
    }
    below={
      <>
        <StandingLine job={job} />
        <Colleagues job={job} />
      </>
    }
    actions={<WalkButtons walk={walk} />}
  />
);

/** Who else has the job open now. */
function Colleagues({ job }: { job: DeskJob }) {
  const { me } = useMoves(job);
  const names = useColleaguesAt(job.id, me);
  if (names.length === 0) return null;
  const all = new Intl.ListFormat('en').format(names);
  return (
    <span className="icon-line small">
      <IconEye size={15} stroke={1.7} aria-hidden />
      {all} {names.length === 1 ? 'is' : 'are'} viewing this job
    </span>
  );
}

function WalkButtons({ walk: { position, previous, next } }: { walk: Walk }) {
  useShortcut('[', 'The job before this one', previous ?? null);
  useShortcut(']', 'The job after this one', next ?? null);
  if (!position) return null;
  return (
    <nav className="row walk" style={{ flexWrap: 'nowrap' }} aria-label="Jobs of this tab">
      <ActionIcon variant="default" size={32} disabled={!previous} aria-label="Previous job" onClick={previous}>
        <IconChevronLeft size={17} />
      </ActionIcon>
      <ActionIcon variant="default" size={32} disabled={!next} aria-label="Next job" onClick={next}>
        <IconChevronRight size={17} />
      </ActionIcon>
      <span className="second small numbers">
        {position.at} of {position.of} <KeyHint>[</KeyHint>
        <KeyHint>]</KeyHint>
      </span>
    </nav>
  );
}
