import { useSyncExternalStore } from 'react';
import type { Marks } from './marks.ts';

const nameOf = (userId: string) => `atelier-alerts-${userId}`;

export function readMarks(userId: string): Marks | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(userId)) ?? 'null') as Marks | null;
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

/** Only under the lock of the alerts. */
export function writeMarks(userId: string, marks: Marks): void {
  localStorage.setItem(nameOf(userId), JSON.stringify(marks));
  for (const listener of listeners) listener();
}

/** Other tabs write them, too. */
export function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** How many alerts no tab has shown yet. */
export const useUnseen = (userId: string): number =>
  useSyncExternalStore(subscribe, () => readMarks(userId)?.unseen.length ?? 0);
