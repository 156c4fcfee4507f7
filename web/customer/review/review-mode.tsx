import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Job, type ReviewComment } from '../../app/api.ts';
import { useOrders, useSession } from '../../app/session/session.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';
import { ReviewLayer } from '../../ui/review/review-layer.tsx';
import { deliveryOf, filesOf } from './delivered-files.ts';
import { type ModeProps, openCount, useBlocked } from './mode.ts';
import { useLooking } from './use-looking.ts';
import { IconEyeOff, IconLink, IconUserPlus } from '../../ui/look/icons.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { roundWords } from '../../ui/job/words.ts';
import { Failure } from '../../ui/page/page.tsx';
import { Lookers } from '../../ui/review/lookers.tsx';
import { NewerBar } from '../../ui/review/newer-bar.tsx';
import type { ReviewComment as ShownComment } from '../../ui/review/comments.ts';
import { useReview } from '../../ui/review/use-review.ts';
import { saveFrom } from '../../ui/review/view-file.ts';
import { comparing, Viewer, zipWays } from '../../ui/review/viewer.tsx';
import { Time } from '../../ui/time/time.tsx';
import { archiveUrl } from '../jobs/job-story.ts';
import { ReviewMoves } from './review-moves.tsx';
import { useComments } from './use-comments.ts';

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

const AskToLook = part(() => import('./ask-to-look.tsx'), 'AskToLook');
const ReviewLinks = part(() => import('./review-links.tsx'), 'ReviewLinks');

/** One delivery, with the comments of its round. */
function LookMode(props: ModeProps) {
  const { job, delivery, before, fileId, onFile, onClose, onCompare } = props;
  const { round, released_at } = delivery;
  const [removing, setRemoving] = useState<string | null>(null);
  const [shows, setShows] = useState<'links' | 'ask' | null>(null);
  const orders = useOrders();
  const { view } = useSession();
  const blocked = useBlocked(props);
  const canComment = blocked === null;
  const { comments, stored, writing, setWriting, talk, ...own } = useComments(job.id, round, canComment);
  const isLost = (id: string) => comments.some((comment) => comment.id === id && comment.unsaved === 'lost');
  const files = filesOf(job, delivery);
  const review = useReview({ files, fileId, onFile, comments, canComment, writing, setWriting, onClose });
  const moves = { job, round, ...openCount(stored), unsaved: own.unsaved, blocked, onDecided: onClose };
  const removed = comments.find(({ id }) => id === removing);
  const ways = [
    ...(before ? [{ ...comparing, phoneLabel: 'Compare', onGo: () => onCompare(before.round, fileId) }] : []),
    ...zipWays(files, () => saveFrom(archiveUrl(job.id, round))),
    ...(orders ? [{ label: 'Link', phoneLabel: 'Links', icon: IconLink, onGo: () => setShows('links') }] : []),
    ...(canComment
      ? [{ label: 'Ask', phoneLabel: 'Ask a colleague', icon: IconUserPlus, onGo: () => setShows('ask') }]
      : []),
  ];
  return (
    <>
      <Viewer
        review={review}
        title={job.customer_title}
        subtitle={
          <>
            Delivery {round + 1}
            <span className="wide-only">
              {' · '}
              <Time at={released_at} />
            </span>
          </>
        }
        onClose={onClose}
        ways={ways}
        before={before ? filesOf(job, before) : []}
        actions={!view && <ReviewMoves {...moves} hasKeys={review.isReading} />}
        phoneActions={
          <>
            <span className="small second">{roundWords(job.revisions)}</span>
            {!view && <ReviewMoves {...moves} isShort />}
          </>
        }
        intro={<Lookers lookers={props.lookers} />}
        notice={<Newer {...props} />}
        state={<Sent comments={comments} stored={stored} canSend={canComment} />}
        readers={blocked ?? 'The studio reads these when you ask for changes, all at once.'}
        failure={own.error && <Failure error={own.error} />}
        isLoading={own.isLoading}
        talk={canComment ? talk : undefined}
        onKeep={own.keep}
        onRemove={(id) => (isLost(id) ? own.discard(id) : setRemoving(id))}
        onRetry={own.retry}
      />
      {removed && (
        <ConfirmOperation
          title={`Delete comment ${removed.number}?`}
          confirm="Delete"
          destructive
          operation="deleteComment"
          input={{ path: { id: job.id, comment_id: removed.id } }}
          onClose={() => setRemoving(null)}
        >
          {removed.isGuest ? `${removed.author} and everybody else` : 'Everybody'} who reviews this delivery stops
          seeing it{removed.replies.length > 0 && `, and the ${sayReplies(removed.replies.length)} to it`}. It cannot be
          brought back.
        </ConfirmOperation>
      )}
      {shows === 'links' && <ReviewLinks jobId={job.id} onClose={() => setShows(null)} />}
      {shows === 'ask' && <AskToLook jobId={job.id} onClose={() => setShows(null)} />}
    </>
  );
}

const sayReplies = (count: number): string => (count === 1 ? 'reply' : `${count} replies`);

const Newer = ({ delivery, newest, hasCome, onNewest }: ModeProps) => (
  <NewerBar newest={newest.round + 1} shown={delivery.round + 1} hasCome={hasCome} onLook={onNewest} />
);

type SentProps = { comments: ShownComment[]; stored: ReviewComment[]; canSend: boolean };

/** Whether the studio has the comments. */
function Sent({ comments, stored, canSend }: SentProps) {
  const unsaved = comments.filter((comment) => comment.unsaved).length;
  if (unsaved > 0) return `${unsaved} not saved`;
  const open = stored.filter(({ settled_at }) => settled_at === null);
  if (open.length > 0 && open.every(({ sent_at }) => sent_at !== null)) return 'sent to the studio';
  if (!canSend && !stored.some(({ never_sent }) => never_sent)) return null;
  return (
    <>
      <IconEyeOff size={15} aria-hidden /> {canSend ? 'not sent yet' : 'never sent'}
    </>
  );
}
