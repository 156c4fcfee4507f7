import type { Job } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';

const ReviewMode = part(() => import('./review-mode.tsx'), 'ReviewMode');

/** Over the page of a job while its address says `?review=<file id>`. */
export function JobReview({ job }: { job: Job }) {
  const [{ review }] = useAddress<'review'>();
  return review !== undefined && job.deliveries.length > 0 && <ReviewMode job={job} />;
}
