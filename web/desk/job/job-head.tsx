import { ActionIcon } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskJob } from '../../app/api.ts';
import { usePages, useRead } from '../../app/use-reads.ts';
import { Status } from '../../ui/job/status.tsx';
import { IconChevronLeft, IconChevronRight, IconEye, IconPlayerPause } from '../../ui/look/icons.ts';
import { pathTo, plainSearch } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useNow } from '../../ui/time/now.ts';
import { groupByDue } from '../queue/group-by-due.ts';
import { queuePlace } from '../queue/queue-place.ts';
import { queueReads } from '../queue/queue.reads.ts';
import { criteria, tabAt } from '../queue/tabs.ts';
import { useDeskUnread } from '../queue/unread.ts';
import { StandingLine } from '../standing.tsx';
import { useHeldBack } from './held-back.ts';
import { useMoves } from './use-moves.ts';
import { useColleaguesAt } from './viewers.ts';

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
        <Status status={job.status} side="desk" parked={job.parked} importedAt={job.imported_at} />
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
  >
    <WalkButtons walk={walk} />
  </PageHead>
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
        {position.at}
        {position.of !== undefined && ` of ${position.of.toLocaleString('en')}`} <KeyHint>[</KeyHint>
        <KeyHint>]</KeyHint>
      </span>
    </nav>
  );
}

export type Walk = ReturnType<typeof useWalk>;

/** The job's neighbours in the tab of the queue from which it was opened, in the order shown there. */
export function useWalk(jobId: string) {
  const navigate = useNavigate();
  const now = useNow(60_000);
  const releases = useHeldBack();
  const unread = useDeskUnread();
  const place = queuePlace();
  const search = plainSearch.parseSearch(place.slice(deskPages.queue.length));
  const tab = tabAt(search);
  const reads = queueReads({ id: '', search });
  const { data: rows = [], more } = usePages(reads.jobs);
  const counts = useRead(reads.counts).data?.counts;
  const isWhole = criteria.every((name) => name === 'family' || !search[name]);
  const all = more ? (isWhole && tab.count ? counts?.[tab.count] : undefined) : rows.length;
  const steady = rows.map((row) => ({ row, gone: false }));
  const shown = tab.byDue ? groupByDue(steady, now, unread).flatMap(({ rows: inGroup }) => inGroup) : steady;
  const ids = shown
    .map(({ row }) => row.id)
    .filter((id) => id === jobId || !releases.some((release) => release.jobId === id));
  const at = ids.indexOf(jobId);
  const go = (id: string | undefined) => id && (() => void navigate({ to: pathTo(deskPages.job, { id }) }));
  const [previous, next] = at === -1 ? [undefined, undefined] : [ids[at - 1], ids[at + 1]];
  return {
    tab: tab.label,
    /** Null for a job that was opened from elsewhere. */
    position: at === -1 ? null : { at: at + 1, of: all && all - (rows.length - ids.length) },
    previous: go(previous) || undefined,
    next: go(next) || undefined,
    /** After a move: the next job, the one before it, or the queue. */
    goOn: go(next ?? previous) || (() => void navigate({ to: place })),
  };
}
