import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const tick = () => {
  for (const listener of listeners) listener();
};
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The last full `every` milliseconds, so that all places with the same step agree. */
export const useNow = (every: number): number =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => Math.floor(Date.now() / every) * every, [every]),
  );
