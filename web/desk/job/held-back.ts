import type { DeskJob } from '../../app/api.ts';
import type { Input } from '../../app/reads.ts';
import { readStored } from '../../ui/page/read-stored.ts';
import { store } from '../../ui/page/store.ts';

/** A submission, a pass or a return that the page holds back for some seconds, so that it can be undone. */
export type HeldBack = {
  /** Also the Idempotency-Key, so that a second attempt does not deliver twice. */
  id: string;
  jobId: string;
  /** The operator who pressed the button. */
  by: string;
  title: string;
  /** "Rise Bakery", "review" before the studio has checked it, or the maker it is returned to. */
  to: string;
  delivers: boolean;
  move:
    | { operation: 'submitJob'; body: Input<'submitJob'>['body'] }
    | { operation: 'passJob' }
    | { operation: 'returnJob'; body: Input<'returnJob'>['body'] };
  /** `asking`: the page was reloaded, so somebody must decide. */
  state: 'counting' | 'asking' | 'sending';
};

export const holdSeconds = 8;

/** Of this tab. A tab that is closed has asked before, and nothing of it was sent. */
const storageName = 'atelier-held-back';

const storage = typeof sessionStorage === 'undefined' ? null : sessionStorage;
const restored = (storage && (readStored(storage, storageName) as HeldBack[] | null)) ?? [];
const all = store(restored.map((release): HeldBack => ({ ...release, state: 'asking' })));

function change(next: HeldBack[]): void {
  sessionStorage.setItem(storageName, JSON.stringify(next));
  all.set(next);
}

export const useHeldBack = all.use;

const isHeldBack = (jobId: string): boolean => all.read().some((release) => release.jobId === jobId);

/** One for a job: a second press changes nothing. */
export function holdBack(job: DeskJob, by: string, release: Pick<HeldBack, 'to' | 'delivers' | 'move'>): void {
  const of = { jobId: job.id, by, title: job.customer_title };
  if (!isHeldBack(job.id)) change([...all.read(), { ...release, ...of, id: crypto.randomUUID(), state: 'counting' }]);
}

export const setHeld = (id: string, state: HeldBack['state']): void =>
  change(all.read().map((release) => (release.id === id ? { ...release, state } : release)));

export const takeBack = (id: string): void => change(all.read().filter((release) => release.id !== id));
