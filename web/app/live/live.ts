import type { Query } from '@tanstack/react-query';
import { useEffect } from 'react';
import { store } from '../../ui/page/store.ts';
import { queryClient } from '../api.ts';
import { shareStream, type StreamState } from './stream.ts';

export type Reading = {
  operation: string;
  path: { id?: string } | undefined;
  query: Record<string, unknown> | undefined;
};

/** A stream, and which reads its entries invalidate. */
export type Feed<Entry> = {
  url: string;
  makesOld: (entry: Entry, reading: Reading) => boolean;
  /** Reads to refresh when entries may have been missed. */
  mayBeOld: (reading: Reading) => boolean;
  onEntry?: (entry: Entry) => void;
  /** Entries with a name of their own, and which reads they invalidate. */
  named?: Record<string, (reading: Reading) => boolean>;
};

const state = store<StreamState>('connecting');

export const isLive = () => state.read() === 'live';
export const useStreamState = state.use;

/** Milliseconds for which entries are collected before refreshing. */
const gatherFor = 100;

/** Follows an app's stream, once for all tabs, and refreshes what its entries invalidate. */
export function useLive<Entry>(feed: Feed<Entry>): void {
  useEffect(() => {
    let gathered: Entry[] = [];
    const gather = (entry: Entry) => {
      feed.onEntry?.(entry);
      if (gathered.push(entry) > 1) return;
      setTimeout(() => {
        const entries = gathered;
        gathered = [];
        void readAnew((reading) => entries.some((entry) => feed.makesOld(entry, reading)));
      }, gatherFor);
    };
    return shareStream<Entry>(feed.url, Object.keys(feed.named ?? {}), (message) => {
      if (message === 'resync') return void queryClient.invalidateQueries();
      if ('entry' in message) return gather(message.entry);
      if ('named' in message) return void readAnew(feed.named?.[message.named] ?? (() => false));
      // Changes between the page's reads and the start of the stream were in neither.
      if (message.state === 'live' && !isLive()) void readAnew(feed.mayBeOld);
      state.set(message.state);
    });
  }, [feed]);
}

export const readAnew = (isOld: (reading: Reading) => boolean): Promise<void> =>
  queryClient.invalidateQueries({ predicate: (query) => isOld(readingOf(query)) });

function readingOf({ queryKey: [operation, input] }: Query): Reading {
  const { path, query } = (input ?? {}) as Pick<Reading, 'path' | 'query'>;
  return { operation: String(operation), path, query };
}
