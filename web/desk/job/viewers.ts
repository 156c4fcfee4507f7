import { useEffect } from 'react';
import { api, type QueueChange } from '../../app/api.ts';
import { store } from '../../ui/page/store.ts';

/** Milliseconds. The service forgets who says nothing for 75 seconds, such as a closed tab. */
const sayEvery = 30_000;

type Viewer = QueueChange['viewing'][number];

const viewers = store<Viewer[]>([]);

/** The stream of the queue says it. */
export const setViewers = viewers.set;

/** Names of the colleagues who have this job open. */
export function useColleaguesAt(jobId: string, me: string): string[] {
  return viewers
    .use()
    .filter(({ job_id: job, operator_id: id }) => job === jobId && id !== me)
    .map(({ name }) => name);
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
