import type { Query } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type DeskJobListItem, type ListQueueData, queryClient, type QueueChange } from '../app/api.ts';
import { type Feed, isLive, type Reading, readAnew, useLive } from '../app/live/live.ts';
import type { Pages } from '../app/read-queries.ts';
import { setViewers } from './job/viewers.ts';
import { patched } from './queue/patched.ts';

const ofQueue = [
  'listQueue',
  'countQueue',
  'countListedJobs',
  'countDeskUnread',
  'countNotifications',
  'listNotifications',
  'listOperators',
  'listOperatorInvitations',
  'listWorkerKeys',
];
const ofJob = ['readDeskJob', 'readDeliveryDraft', 'listDeskMessages', 'listDeskComments', 'listAudit'];

const jobOf = ({ path, query }: Reading) => path?.id ?? query?.['subject'];

/**
 * A change of the role ends the stream, so the session is read anew with the next one. The stream says
 * nothing of `countMoney`: only polls read it again.
 */
const mayBeOld = (reading: Reading) =>
  ['readSession', 'countMoney', ...ofQueue].includes(reading.operation) ||
  (ofJob.includes(reading.operation) && jobOf(reading) !== undefined);

const isOf = (reading: Reading, jobs: string[]) => jobs.some((id) => id === jobOf(reading));

/** Each change contains the counts of all jobs. */
const queueFeed: Feed<QueueChange> = {
  url: '/api/operator/v1/queue/stream',
  mayBeOld,
  makesOld({ changed }, reading) {
    if (changed === null) return mayBeOld(reading);
    if (changed.length === 0) return false;
    if (reading.operation === 'listQueue') return false; // patched
    if (reading.operation === 'countQueue') return reading.query !== undefined;
    return ofQueue.includes(reading.operation) || (ofJob.includes(reading.operation) && isOf(reading, changed));
  },
  onEntry({ counts, viewing, changed }) {
    patchLists(changed ?? []);
    queryClient.setQueryData(['countQueue', {}], { counts });
    setViewers(viewing);
  },
};

/** Milliseconds between polls without the stream; otherwise polling is slow. */
const withoutStream = 3_000;
const withStream = 30_000;

/** Follows the queue's stream and polls without it. */
export function useDeskLive(): void {
  useLive(queueFeed);
  useEffect(() => {
    let looked = Date.now();
    const look = () => {
      const nextLook = looked + (isLive() ? withStream : withoutStream);
      if (document.visibilityState !== 'visible' || Date.now() < nextLook) return;
      looked = Date.now();
      void readAnew(mayBeOld);
    };
    const timer = setInterval(look, withoutStream);
    return () => clearInterval(timer);
  }, []);
}

type Filters = NonNullable<ListQueueData['query']>;

/** Ids that one request may ask for. */
const most = 100;

let changedJobs = new Set<string>();
let running: Promise<void> | null = null;

/** Reads the rows of these jobs anew in every list on the page. Only one patch runs at a time. */
function patchLists(jobs: string[]): void {
  for (const id of jobs) changedJobs.add(id);
  if (changedJobs.size > 0) running ??= patchAll().finally(() => (running = null));
}

async function patchAll(): Promise<void> {
  while (changedJobs.size > 0) {
    const ids = [...changedJobs];
    changedJobs = new Set();
    const lists = queryClient.getQueryCache().findAll({ queryKey: ['listQueue'] });
    await Promise.all(lists.map((list) => patch(list, ids).catch(() => readWhole(list))));
  }
}

async function patch(list: Query, ids: string[]): Promise<void> {
  const [, input, isPages] = list.queryKey as [string, { query?: Filters }, string?];
  // A list that is being read may miss the change, so it is read again.
  if (isPages === undefined || !list.isActive() || list.state.fetchStatus !== 'idle' || ids.length > most)
    return readWhole(list);
  const { jobs } = await api.listQueue({ query: { ...input.query, id: ids, limit: most } });
  if (list.state.fetchStatus !== 'idle') return readWhole(list);
  queryClient.setQueryData<Pages<DeskJobListItem>>(
    list.queryKey,
    (shown) => shown && patched(shown, ids, jobs, input.query?.sort),
  );
}

/** Lists that are not shown are read when they are. */
const readWhole = (list: Query): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: list.queryKey, exact: true });
