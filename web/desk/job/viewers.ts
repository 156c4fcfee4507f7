import { useEffect, useSyncExternalStore } from 'react';
import { api, type QueueChange } from '../../app/api.ts';

/** Milliseconds. The service forgets who says nothing for 75 seconds, such as a closed tab. */
const sayEvery = 30_000;

type Viewer = QueueChange['viewing'][number];

let viewers: Viewer[] = [];
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The stream of the queue says it. */
export function setViewers(next: Viewer[]): void {
  viewers = next;
  for (const listener of listeners) listener();
}

/** Names of the colleagues who have this job open. */
export function useColleaguesAt(jobId: string, me: string): string[] {
  const all = useSyncExternalStore(subscribe, () => viewers);
  return all.filter(({ job_id: job, operator_id: id }) => job === jobId && id !== me).map(({ name }) => name);
}

/** Tells the colleagues that this job is open, while its page is in sight. */
export function useViewing(jobId: string): void {
  useEffect(() => {
    // A hint for colleagues: if it fails, the next one comes soon.
    const say = (viewing: boolean) => void api.viewJob({ path: { id: jobId }, body: { viewing } }).catch(() => {});
    const sayNow = () => say(document.visibilityState === 'visible');
    sayNow();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') say(true);
    }, sayEvery);
    document.addEventListener('visibilitychange', sayNow);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', sayNow);
      say(false);
    };
  }, [jobId]);
}
