import type { DeskJob, File } from '../../app/api.ts';
import { part } from '../../ui/page/part.tsx';
import { useReviewAddress } from './address.ts';

const ReviewMode = part(() => import('./review-mode.tsx'), 'ReviewMode');

/** Over the page of a job while its address says `?review=<file id>`. `next` is about to be delivered. */
export function DeskReview({ job, next }: { job: DeskJob; next: File[] }) {
  const [{ review }] = useReviewAddress();
  return review !== undefined && <ReviewMode job={job} next={next} />;
}
