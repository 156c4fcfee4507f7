import { Suspense } from 'react';
import type { DeskJob, File } from '../../app/api.ts';
import { part } from '../../ui/page/part.tsx';
import { useReviewAddress } from './address.ts';

const ReviewMode = part(() => import('./review-mode.tsx'), 'ReviewMode');

type Props = {
  job: DeskJob;
  /** The files of the delivery that is prepared, in their order. */
  next: File[];
};

/** Over the page of a job while its address says `?review=<file id>`. */
export function DeskReview({ job, next }: Props) {
  const [{ review }] = useReviewAddress();
  if (review === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ReviewMode job={job} next={next} />
    </Suspense>
  );
}
