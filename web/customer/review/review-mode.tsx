import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Job } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';
import { ReviewLayer } from '../../ui/review/review-layer.tsx';
import { deliveryOf } from './delivered-files.ts';
import { LookMode } from './look-mode.tsx';
import type { ModeProps } from './mode.ts';
import { useLooking } from './use-looking.ts';

const CompareMode = part(() => import('./compare-mode.tsx'), 'CompareMode');

/** The review of a delivery, or with `?compare=1` its comparison with delivery 1. */
export function ReviewMode({ job }: { job: Job }) {
  const [{ review, compare }, set] = useAddress<'review' | 'compare'>();
  const { history } = useRouter();
  const { view } = useSession();
  const path = { id: job.id };
  const say = (looking: boolean) => api.lookAtReview({ path, body: { looking } });
  const lookers = useLooking(['lookAtReview', { path }], view ? null : say);
  // The delivery that was the newest when the review began: another may come meanwhile.
  const [newestAtStart, setNewest] = useState(() => job.deliveries.at(-1)?.round ?? 0);
  const delivery = deliveryOf(job, review);
  const newest = job.deliveries.at(-1);
  if (!delivery || !newest) return null;
  const earlier = job.deliveries.filter(({ round, file_ids }) => round < delivery.round && file_ids.length > 0);
  const compared = earlier.find(({ round }) => String(round + 1) === compare);
  const props: ModeProps = {
    job,
    delivery,
    newest,
    before: earlier.at(-1),
    hasCome: newest.round > newestAtStart,
    fileId: review ?? '',
    lookers,
    onFile: (id) => set({ review: id, compare: undefined }),
    onNewest: () => {
      setNewest(newest.round);
      set({ review: newest.file_ids[0], compare: undefined });
    },
    // The page of the job is the entry before, unless the review was opened by its address.
    onClose: () => (history.canGoBack() ? history.back() : set({ review: undefined, compare: undefined })),
    onCompare: (round, id) => set({ review: id, compare: round === null ? undefined : String(round + 1) }),
  };
  return (
    <ReviewLayer>
      {compared ? <CompareMode {...props} compared={compared} /> : <LookMode key={delivery.round} {...props} />}
    </ReviewLayer>
  );
}
