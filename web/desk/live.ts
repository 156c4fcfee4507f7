import { useEffect, useState } from 'react';
import { queryClient, type QueueChange } from '../app/api.ts';
import { shareStream, type StreamState } from '../app/live/stream.ts';

/** Milliseconds between two looks without the stream; with it a slow one stays. */
const withoutStream = 3_000;
const withStream = 30_000;

/** What a job that moved makes old, besides its own page. */
const ofQueue = ['listQueue', 'countQueue', 'listOperators', 'listWorkerKeys'];
const ofJob = ['readDeskJob', 'listAudit'];

type Key = readonly unknown[];

const jobOf = ([, input]: Key) => {
  const { path, query } = (input ?? {}) as { path?: { id?: string }; query?: { subject?: string } };
  return path?.id ?? query?.subject;
};

const refresh = (concerns: (key: Key) => boolean) =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => concerns(queryKey) });

const refreshAll = () =>
  refresh((key) => ofQueue.includes(String(key[0])) || (ofJob.includes(String(key[0])) && jobOf(key) !== undefined));

function hear({ counts, changed }: QueueChange): void {
  queryClient.setQueryData(['countQueue', {}], { counts });
  if (changed === null) return void refreshAll();
  if (changed.length > 0)
    void refresh((key) =>
      key[0] === 'countQueue'
        ? JSON.stringify(key[1]) !== '{}'
        : ofQueue.includes(String(key[0])) || (ofJob.includes(String(key[0])) && changed.includes(jobOf(key) ?? '')),
    );
}

/**
 * Keeps the desk as it is in the studio now: by the stream of the queue, and by looking where there is none. Answers how
 * the stream is.
 */
export function useDeskLive(): StreamState {
  const [shown, setShown] = useState<StreamState>('connecting');
  useEffect(() => {
    let state: StreamState = 'connecting';
    let looked = Date.now();
    const look = () => {
      looked = Date.now();
      void refreshAll();
    };
    const leave = shareStream<QueueChange>('/api/operator/v1/queue/stream', (told) => {
      if (told === 'resync') return look();
      if ('entry' in told) return hear(told.entry);
      // What happened between two streams was told by neither.
      if (told.state === 'live' && state !== 'live') look();
      ({ state } = told);
      setShown(state);
    });
    const timer = setInterval(() => {
      const due = looked + (state === 'live' ? withStream : withoutStream);
      if (document.visibilityState === 'visible' && Date.now() >= due) look();
    }, withoutStream);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, []);
  return shown;
}
