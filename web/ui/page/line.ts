import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser has a connection; it may have one that leads nowhere. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Milliseconds between two looks whether the service can be reached; a browser that is online again looks at once. */
const lookEvery = 2_000;

export const isReachable = async (): Promise<boolean> =>
  navigator.onLine && ((await fetch('/readyz', { cache: 'no-store' }).catch(() => null))?.ok ?? false);

export async function serviceIsBack(): Promise<void> {
  while (!(await isReachable())) await onlineOrLater();
}

const onlineOrLater = () =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(look, lookEvery);
    addEventListener('online', look);
    function look(): void {
      clearTimeout(timer);
      removeEventListener('online', look);
      resolve();
    }
  });
