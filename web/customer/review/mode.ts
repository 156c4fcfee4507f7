import type { Delivery, Job, ReviewComment } from '../../app/api.ts';
import type { Looker } from '../../ui/review/lookers.tsx';
import { useSession } from '../../app/session/session.tsx';

export type ModeProps = {
  job: Job;
  /** The delivery on the stage. */
  delivery: Delivery;
  newest: Delivery;
  /** What it is compared with first: the last delivery before it that has files. */
  before: Delivery | undefined;
  /** Whether the newest delivery came while the review was open. */
  hasCome: boolean;
  fileId: string;
  /** Who has the review open. */
  lookers: Looker[];
  onFile: (id: string) => void;
  onNewest: () => void;
  onClose: () => void;
  /** Compares a file with the delivery of this round; null ends the comparison. */
  onCompare: (round: number | null, fileId: string) => void;
};

/** Of the comments of a round: those that a request for changes sends, and those that it leaves out. */
export function openCount(comments: ReviewComment[]): { count: number; settled: number } {
  const settled = comments.filter(({ settled_at }) => settled_at !== null).length;
  return { count: comments.length - settled, settled };
}

/** Why the delivery on the stage cannot be decided: null if it can. */
export function useBlocked({ job, delivery, newest, hasCome }: ModeProps): string | null {
  const { view } = useSession();
  if (view) return 'You are viewing this account, which is read only.';
  if (delivery.round !== newest.round)
    return hasCome ? `Delivery ${newest.round + 1} has come meanwhile.` : 'This is an earlier delivery.';
  return job.status === 'ready_for_customer_review' ? null : 'This delivery does not wait for you.';
}
