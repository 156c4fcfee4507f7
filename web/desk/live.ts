import { useEffect } from 'react';
import { queryClient } from '../api.ts';

/** Milliseconds between two looks. */
const interval = 3_000;

/** What moves at the desk: the queue, its counts, and the job that is open. */
const moving = new Set(['countQueue', 'listQueue', 'readDeskJob', 'listWorkerKeys', 'listOperators']);

const refresh = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => moving.has(String(queryKey[0])) });

/** Reads what moves at the desk anew while the page is seen; a hidden page asks when it is seen again. */
export function useDeskLive(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh();
    }, interval);
    return () => clearInterval(timer);
  }, []);
}
