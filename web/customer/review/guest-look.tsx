import { useState } from 'react';
import type { AtelierError, Review } from '../../app/api.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import type { ReviewComment } from '../../ui/review/comments.ts';
import { type Looker, Lookers } from '../../ui/review/lookers.tsx';
import { NewerBar } from '../../ui/review/newer-bar.tsx';
import { useReview } from '../../ui/review/use-review.ts';
import { saveFrom } from '../../ui/review/view-file.ts';
import { comparing, Viewer, zipWays } from '../../ui/review/viewer.tsx';
import { guestApi } from './guest-api.ts';
import { filesOf, guestDeliveries, useGuestUrls } from './guest-files.ts';
import { useGuestComments } from './use-guest-comments.ts';

type Props = {
  review: Review;
  /** The delivery that is shown: another may have come since. */
  shown: number;
  onNewest: () => void;
  lookers: Looker[];
  name: string;
  /** A file of the newest delivery; another one counts as its first. */
  openId: string;
  onFile: (id: string) => void;
  /** Null with a single delivery. */
  onCompare: ((fileId: string) => void) | null;
  onLeave: () => void;
};

/** The review without approving or asking for changes: the member decides. */
export function GuestLook({
  review: opened,
  shown,
  onNewest,
  lookers,
  name,
  openId,
  onFile,
  onCompare,
  onLeave,
}: Props) {
  const { job_title, can_comment, shared_by } = opened;
  const newest = opened.round ?? 0;
  const files = filesOf(opened, shown);
  const fileId = (files.find(({ id }) => id === openId) ?? files[0])?.id ?? '';
  const urls = useGuestUrls(files.find(({ id }) => id === fileId));
  const canComment = can_comment && opened.status_open && shown === newest;
  const { comments, writing, setWriting, talk, ...own } = useGuestComments(name, shown, canComment);
  const [removing, setRemoving] = useState<ReviewComment | null>(null);
  const withUrl = files.map((file) => (file.id === fileId ? { ...file, ...urls } : file));
  const onClose = onLeave;
  const review = useReview({ files: withUrl, fileId, onFile, comments, canComment, writing, setWriting, onClose });
  const reader = canComment ? `Your comments go to ${shared_by.name}` : '';
  return (
    <>
      <Viewer
        review={review}
        title={job_title}
        subtitle={`Delivery ${shown + 1}`}
        onClose={onLeave}
        before={guestDeliveries(opened).findLast((each) => each.round < shown)?.files ?? []}
        ways={[
          ...(onCompare ? [{ ...comparing, phoneLabel: 'Compare two deliveries', onGo: () => onCompare(fileId) }] : []),
          ...zipWays(files, () => void saveDelivery(shown)),
        ]}
        intro={
          <>
            <Lookers lookers={lookers} />
            <span className="second">{reader}</span>
          </>
        }
        notice={<NewerBar newest={newest + 1} shown={shown + 1} hasCome onLook={onNewest} />}
        phoneActions={reader && <span className="small second">{reader}</span>}
        state={null}
        readers={
          canComment
            ? `${shared_by.name} and colleagues read these at once, the studio when they ask for changes.`
            : can_comment
              ? 'This delivery does not wait for comments any more.'
              : 'You may look at the files and download them.'
        }
        isLoading={own.isLoading}
        talk={canComment ? talk : undefined}
        onKeep={own.keep}
        onRemove={(id) => setRemoving(comments.find((comment) => comment.id === id) ?? null)}
      />
      {removing && (
        <Confirm
          opened
          onClose={() => setRemoving(null)}
          title={`Delete comment ${removing.number}?`}
          confirm="Delete"
          destructive
          pending={own.isRemoving}
          error={null}
          onConfirm={() => own.remove(removing.id, () => setRemoving(null))}
        >
          {removing.replies.length > 0 && 'The replies to it go, too. '}It cannot be brought back.
        </Confirm>
      )}
    </>
  );
}

const saveDelivery = (round: number) =>
  guestApi.createReviewArchive({ body: { round } }).then(({ download }) => saveFrom(download.url), sayError);

const sayError = (error: AtelierError) => notify(failureSentence(error));
