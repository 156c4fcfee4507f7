import { useState } from 'react';
import type { Review } from '../../app/api.ts';
import { type Compared, pairFiles } from '../../ui/review/compare.ts';
import { CompareViewer } from '../../ui/review/compare-viewer.tsx';
import { NewerBar } from '../../ui/review/newer-bar.tsx';
import { guestDeliveries, useGuestUrls } from './guest-files.ts';

type Props = {
  review: Review;
  shown: number;
  onNewest: () => void;
  fileId: string;
  /** Back to the newest delivery alone, at this file if it has it. */
  onLook: (fileId: string) => void;
  onLeave: () => void;
};

/** Two deliveries beside each other. What was asked for between them is not part of a link. */
export function GuestCompare({ review, shown, onNewest, fileId, onLook, onLeave }: Props) {
  const deliveries = guestDeliveries(review);
  const [open, setOpen] = useState({ earlier: deliveries.at(-2)?.round, fileId });
  const later = deliveries.find(({ files }) => files.some(({ id }) => id === open.fileId)) ?? deliveries.at(-1);
  const earlier = deliveries.find(({ round }) => round === open.earlier);
  const { pairs } = pairFiles(earlier?.files ?? [], later?.files ?? []);
  const pair = pairs.find((each) => each.later.id === open.fileId) ?? pairs[0];
  const urls = new Map([
    [pair?.earlier.id, useGuestUrls(pair?.earlier)],
    [pair?.later.id, useGuestUrls(pair?.later)],
  ]);
  const withUrls = (delivery: Compared): Compared => ({
    ...delivery,
    files: delivery.files.map((file) => ({ ...file, ...urls.get(file.id) })),
  });
  if (!earlier || !later) return null;
  return (
    <CompareViewer
      title={review.job_title}
      deliveries={deliveries}
      earlier={withUrls(earlier)}
      later={withUrls(later)}
      onChoose={({ round }, id) => setOpen({ earlier: round, fileId: id })}
      fileId={open.fileId}
      onFile={(id) => setOpen({ ...open, fileId: id })}
      changes={[]}
      words={{ title: 'What was asked for', none: `Ask ${review.shared_by.name} what was asked for between the two.` }}
      back={{ round: shown, onGo: () => onLook(open.fileId) }}
      notice={<NewerBar newest={(review.round ?? 0) + 1} shown={shown + 1} hasCome onLook={onNewest} />}
      onClose={onLeave}
      onOpen={onLook}
      onAskAgain={null}
    />
  );
}
