import { Suspense } from 'react';
import type { Job } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';

const ReviewMode = part(() => import('./review-mode.tsx'), 'ReviewMode');

/** Over the page of a job while its address says `?review=<file id>`. */
export function JobReview({ job }: { job: Job }) {
  const [{ review }] = useAddress<'review'>();
  if (review === undefined || job.deliveries.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ReviewMode job={job} />
    </Suspense>
  );
}
