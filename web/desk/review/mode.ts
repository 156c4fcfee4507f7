import type { ReviewComment } from '../../app/api.ts';
import type { Compared } from '../../ui/review/compare.ts';

export type ModeProps = {
  title: string;
  /** Of the delivery that is prepared: "draft". */
  state: string | null;
  /** Oldest first. */
  deliveries: Compared[];
  /** The one of the open file. */
  delivery: Compared;
  before: Compared | undefined;
  /** All that the customer has sent. */
  comments: ReviewComment[];
  fileId: string;
  onFile: (id: string) => void;
  onCompare: (round: number, fileId: string) => void;
  onClose: () => void;
};
