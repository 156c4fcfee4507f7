import { useEffect, useEffectEvent } from 'react';

/** Milliseconds between checks whether the service is reachable. */
const lookEvery = 2_000;

export const isReachable = async (): Promise<boolean> =>
  navigator.onLine && ((await fetch('/readyz', { cache: 'no-store' }).catch(() => null))?.ok ?? false);

export async function serviceIsBack(): Promise<void> {
  while (!(await isReachable())) await onlineOrLater();
}

/** Calls `again` once the service is back. */
export function useBack(isLost: boolean, again: () => void): void {
  const onBack = useEffectEvent(again);
  useEffect(() => {
    if (!isLost) return;
    let isOver = false;
    const wait = async () => {
      if (await isReachable()) return;
      await serviceIsBack();
      if (!isOver) onBack();
    };
    void wait();
    return () => void (isOver = true);
  }, [isLost]);
}

/** Calls `again` when the browser says that it has a connection again. */
export function useOnline(again: () => void): void {
  const onOnline = useEffectEvent(again);
  useEffect(() => {
    const run = () => onOnline();
    addEventListener('online', run);
    return () => removeEventListener('online', run);
  }, []);
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
