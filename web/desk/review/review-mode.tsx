import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type DeskJob, type File, operationQuery } from '../../app/api.ts';
import { ReviewLayer } from '../../ui/review/review-layer.tsx';
import { useReviewAddress } from './address.ts';
import { Compare } from './compare.tsx';
import { deliveryWith, deskDeliveries } from './deliveries.ts';
import { Look } from './look.tsx';
import type { ModeProps } from './mode.ts';

type Props = { job: DeskJob; next: File[] };

/** A delivery as the customer sees it, with what the customer asked for. Nothing is changed here. */
export function ReviewMode({ job, next }: Props) {
  const [{ review = '', comment, compare }, set] = useReviewAddress();
  const { history } = useRouter();
  const { data } = useQuery(operationQuery('listDeskComments', { path: { id: job.id } }));
  const deliveries = deskDeliveries(job, next);
  const delivery = deliveryWith(deliveries, review);
  if (!delivery) return null;
  const earlier = deliveries.filter(({ round }) => round < delivery.round);
  const compared = earlier.find(({ round }) => String(round + 1) === compare);
  const mode: ModeProps = {
    title: job.customer_title,
    state: job.deliveries.some(({ round }) => round === delivery.round) ? null : stateOf(job),
    deliveries,
    delivery,
    before: earlier.at(-1),
    comments: data?.comments ?? [],
    fileId: review,
    onFile: (id) => set({ review: id, comment: undefined, compare: undefined }),
    onCompare: (round, id) => set({ review: id, comment: undefined, compare: String(round + 1) }),
    // The page of the job is the entry before, unless the review was opened by its address.
    onClose: () =>
      history.canGoBack() ? history.back() : set({ review: undefined, comment: undefined, compare: undefined }),
  };
  return (
    <ReviewLayer>
      {compared ? (
        <Compare {...mode} compared={compared} />
      ) : (
        <Look key={delivery.round} {...mode} commentId={comment ?? null} />
      )}
    </ReviewLayer>
  );
}

const stateOf = ({ status }: DeskJob): string => (status === 'needs_review' ? 'submitted' : 'draft');
