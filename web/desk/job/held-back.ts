import { useSyncExternalStore } from 'react';
import type { Input } from '../../app/operations.ts';

/** A submission or a pass that the page holds back for some seconds, so that it can be undone. */
export type HeldBack = {
  /** Also the Idempotency-Key, so that a second attempt does not deliver twice. */
  id: string;
  jobId: string;
  /** The operator who pressed the button. */
  by: string;
  title: string;
  /** "Rise Bakery", or "review" before the studio has checked it. */
  to: string;
  delivers: boolean;
  move: { operation: 'submitJob'; body: Input<'submitJob'>['body'] } | { operation: 'passJob' };
  /** `asking`: the page was reloaded meanwhile, so somebody must decide. */
  state: 'counting' | 'asking' | 'sending';
};

export const holdSeconds = 8;

/** Of this tab. A tab that is closed has asked before, and nothing of it was sent. */
const storageName = 'atelier-held-back';

export function restored(text: string | null): HeldBack[] {
  try {
    return (JSON.parse(text ?? '[]') as HeldBack[]).map((release) => ({ ...release, state: 'asking' }));
  } catch {
    return [];
  }
}

let all: HeldBack[] = typeof sessionStorage === 'undefined' ? [] : restored(sessionStorage.getItem(storageName));
const listeners = new Set<() => void>();

function change(next: HeldBack[]): void {
  all = next;
  sessionStorage.setItem(storageName, JSON.stringify(all));
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useHeldBack = (): HeldBack[] => useSyncExternalStore(subscribe, () => all);

export const isHeldBack = (jobId: string): boolean => all.some((release) => release.jobId === jobId);

/** One for a job: a second press changes nothing. */
export function holdBack(release: Omit<HeldBack, 'id' | 'state'>): void {
  if (!isHeldBack(release.jobId)) change([...all, { ...release, id: crypto.randomUUID(), state: 'counting' }]);
}

export const setHeld = (id: string, state: HeldBack['state']): void =>
  change(all.map((release) => (release.id === id ? { ...release, state } : release)));

export const takeBack = (id: string): void => change(all.filter((release) => release.id !== id));
