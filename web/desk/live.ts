import { useEffect } from 'react';
import { queryClient, type QueueChange } from '../app/api.ts';
import { setViewers } from './job/viewers.ts';
import { patchLists } from './patch-lists.ts';
import { type Feed, isLive, type Reading, readAnew, useLive } from '../app/live/live.ts';

const ofQueue = [
  'listQueue',
  'countQueue',
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
  reading.operation === 'readSession' ||
  reading.operation === 'countMoney' ||
  ofQueue.includes(reading.operation) ||
  (ofJob.includes(reading.operation) && jobOf(reading) !== undefined);

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

const isOf = (reading: Reading, jobs: string[]) => jobs.some((id) => id === jobOf(reading));

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
