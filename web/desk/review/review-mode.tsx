import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type DeskJob, type File, operationQuery, type ReviewComment as StoredComment } from '../../app/api.ts';
import { askedBetween, askedInWords, readComment, withoutComments } from '../../app/asked-changes.ts';
import { IconColumns2 } from '../../ui/look/icons.ts';
import type { ReviewComment } from '../../ui/review/comments.ts';
import type { Compared } from '../../ui/review/compare.ts';
import { CompareViewer } from '../../ui/review/compare-viewer.tsx';
import { ReviewLayer } from '../../ui/review/review-layer.tsx';
import { useReview } from '../../ui/review/use-review.ts';
import { Viewer, zipWays } from '../../ui/review/viewer.tsx';
import { saveFrom, type ViewFile } from '../../ui/review/view-file.ts';
import { deskArchiveUrl, deskFileUrl } from '../job/send-deliverable.ts';
import { useReviewAddress } from './address.ts';

/** A delivery as the customer sees it, with what the customer asked for. Nothing is changed here. */
export function ReviewMode({ job, next }: { job: DeskJob; next: File[] }) {
  const [{ review = '', comment, compare }, set] = useReviewAddress();
  const { history } = useRouter();
  const { data } = useQuery(operationQuery('listDeskComments', { path: { id: job.id } }));
  const deliveries = deskDeliveries(job, next);
  const delivery = deliveryWith(deliveries, review);
  if (!delivery) return null;
  const earlier = deliveries.filter(({ round }) => round < delivery.round);
  const compared = earlier.find(({ round }) => String(round + 1) === compare);
  const comments = data?.comments ?? [];
  const mode: ModeProps = {
    job,
    delivery,
    before: earlier.at(-1),
    comments: comments.filter(({ round }) => round === delivery.round),
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
        <CompareViewer
          title={job.customer_title}
          deliveries={deliveries}
          earlier={compared}
          later={delivery}
          onChoose={({ round }, id) => mode.onCompare(round, id)}
          fileId={review}
          onFile={(id) => mode.onCompare(compared.round, id)}
          changes={askedBetween(comments, compared.round, delivery.round)}
          words={{ title: 'Changes asked for', none: withoutComments }}
          instructions={askedInWords(job, compared.round, delivery.round)}
          back={{ round: delivery.round, onGo: () => mode.onFile(review) }}
          onClose={mode.onClose}
          onOpen={mode.onFile}
          onAskAgain={null}
        />
      ) : (
        <Look key={delivery.round} {...mode} first={comment ?? null} />
      )}
    </ReviewLayer>
  );
}

type ModeProps = {
  job: DeskJob;
  /** The one of the open file. */
  delivery: Compared;
  before: Compared | undefined;
  /** On this delivery. */
  comments: StoredComment[];
  fileId: string;
  onFile: (id: string) => void;
  onCompare: (round: number, fileId: string) => void;
  onClose: () => void;
};

const draft = ' · draft';

/** One delivery, with the comments that were sent about it and what became of them. */
function Look(props: ModeProps & { first: string | null }) {
  const { job, delivery, before, fileId, onFile, onCompare, onClose, first } = props;
  const comments = props.comments.map(shown);
  const { files, label, round } = delivery;
  const review = useReview({ files, fileId, onFile, comments, first, canComment: false, onClose });
  const isDelivered = job.deliveries.some((each) => each.round === round);
  const state = isDelivered ? '' : job.status === 'needs_review' ? ' · submitted' : draft;
  const done = comments.filter(({ answer }) => answer).length;
  const compare = before && `Compare with ${before.round + 1}`;
  const onGo = () => before && onCompare(before.round, fileId);
  return (
    <Viewer
      review={review}
      title={job.customer_title}
      subtitle={label + state}
      onClose={onClose}
      before={before?.files ?? []}
      ways={[
        ...(compare ? [{ label: compare, phoneLabel: compare, icon: IconColumns2, onGo }] : []),
        ...(state === draft ? [] : zipWays(files, () => saveFrom(deskArchiveUrl(job.id, round)))),
      ]}
      phoneActions={null}
      state={comments.length > 0 && `${done} of ${comments.length} done`}
      readers={
        comments.length > 0
          ? 'The customer reads what is done, and your notes, with the next delivery.'
          : 'Comments reach the studio when the customer asks for changes.'
      }
      none="No comments on this delivery were sent."
    />
  );
}

const shown = (comment: StoredComment): ReviewComment => ({
  ...readComment(comment),
  answer: comment.done_at === null ? undefined : { isDone: true, note: comment.done_note },
});

const withUrl = (file: File): ViewFile => ({ ...file, url: file.status === 'uploaded' ? deskFileUrl(file.id) : null });

/** What the desk can look at and compare, oldest first: the deliveries and the next one, each with files. */
function deskDeliveries(job: DeskJob, next: File[]): Compared[] {
  const filesOf = (ids: string[]) => ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);
  const delivered = job.deliveries.map(({ round, file_ids }) => ({ round, files: filesOf(file_ids) }));
  return [...delivered, { round: job.revisions.used, files: next }]
    .filter(({ files }) => files.length > 0)
    .map(({ round, files }) => ({ round, label: `Delivery ${round + 1}`, files: files.map(withUrl) }));
}

/** The delivery of a file, or the newest. */
const deliveryWith = (deliveries: Compared[], fileId: string): Compared | undefined =>
  deliveries.find(({ files }) => files.some(({ id }) => id === fileId)) ?? deliveries.at(-1);
