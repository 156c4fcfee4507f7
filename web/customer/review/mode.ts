import type { Delivery, Job } from '../../app/api.ts';
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
  onFile: (id: string) => void;
  onNewest: () => void;
  onClose: () => void;
  /** Compares a file with the delivery of this round; null ends the comparison. */
  onCompare: (round: number | null, fileId: string) => void;
};

/** Why the delivery on the stage cannot be decided: null if it can. */
export function useBlocked({ job, delivery, newest, hasCome }: ModeProps): string | null {
  const { view } = useSession();
  if (view) return 'You are viewing this account, which is read only.';
  if (delivery.round !== newest.round)
    return hasCome ? `Delivery ${newest.round + 1} has come.` : 'This is an earlier delivery.';
  return job.status === 'ready_for_customer_review' ? null : 'This delivery does not wait for you.';
}
