import { useNavigate } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import { usePages } from '../../app/use-pages.ts';
import { pathTo, plainSearch } from '../../ui/page/address.ts';
import { useNow } from '../../ui/time/now.ts';
import { groupByDue } from '../queue/group-by-due.ts';
import { queuePlace } from '../queue/queue-place.ts';
import { queueReads } from '../queue/queue.reads.ts';
import { tabOf } from '../queue/tabs.ts';
import { useDeskUnread } from '../queue/unread.ts';
import { useHeldBack } from './held-back.ts';

export type Walk = ReturnType<typeof useWalk>;

/** The job's neighbours in the tab of the queue from which it was opened, in the order shown there. */
export function useWalk(jobId: string) {
  const navigate = useNavigate();
  const now = useNow(60_000);
  const releases = useHeldBack();
  const unread = new Set(useDeskUnread().keys());
  const place = queuePlace();
  const search = plainSearch.parseSearch(place.slice(deskPages.queue.length));
  const tab = tabOf(search['tab']);
  const { data: rows = [] } = usePages(queueReads({ id: '', search }).jobs);
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
    position: at === -1 ? null : { at: at + 1, of: ids.length },
    previous: go(previous) || undefined,
    next: go(next) || undefined,
    /** After a move: the next job, the one before it, or the queue. */
    goOn: go(next ?? previous) || (() => void navigate({ to: place })),
  };
}
