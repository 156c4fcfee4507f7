import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AtelierError, queryClient, type Review } from '../../app/api.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import type { ReviewComment, Writing } from '../../ui/review/comments.ts';
import { fragmentOf } from '../../ui/review/place.ts';
import { useReview } from '../../ui/review/use-review.ts';
import { saveFrom } from '../../ui/review/view-file.ts';
import { comparing, Viewer, zipWays } from '../../ui/review/viewer.tsx';
import { guestApi } from './guest-api.ts';
import { guestDeliveries, newestFiles, useGuestUrls } from './guest-files.ts';
import { shownComment } from './shown-comment.ts';

type Props = {
  review: Review;
  name: string;
  /** A file of the newest delivery; another one counts as its first. */
  openId: string;
  onFile: (id: string) => void;
  /** Null with a single delivery. */
  onCompare: ((fileId: string) => void) | null;
  onLeave: () => void;
};

/** The review without approving or asking for changes: the member decides. */
export function GuestLook({ review: opened, name, openId, onFile, onCompare, onLeave }: Props) {
  const { job_title, can_comment, status_open, shared_by, round } = opened;
  const files = newestFiles(opened);
  const fileId = (files.find(({ id }) => id === openId) ?? files[0])?.id ?? '';
  const urls = useGuestUrls(files.find(({ id }) => id === fileId));
  const { comments, writing, setWriting, keep, remove, isRemoving } = useGuestComments(name, round ?? 0);
  const [removing, setRemoving] = useState<ReviewComment | null>(null);
  const canComment = can_comment && status_open;
  const withUrl = files.map((file) => (file.id === fileId ? { ...file, ...urls } : file));
  const onClose = onLeave;
  const review = useReview({ files: withUrl, fileId, onFile, comments, canComment, writing, setWriting, onClose });
  const reader = canComment ? `Your comments go to ${shared_by.name}` : '';
  return (
    <>
      <Viewer
        review={review}
        title={job_title}
        subtitle={`Delivery ${(round ?? 0) + 1}`}
        onClose={onLeave}
        before={guestDeliveries(opened).findLast((each) => each.round < (round ?? 0))?.files ?? []}
        ways={[
          ...(onCompare ? [{ ...comparing, phoneLabel: 'Compare two deliveries', onGo: () => onCompare(fileId) }] : []),
          ...zipWays(files, () => void saveDelivery(round ?? 0)),
        ]}
        intro={<span className="second">{reader}</span>}
        phoneActions={reader && <span className="small second">{reader}</span>}
        state={null}
        readers={
          canComment
            ? `${shared_by.name} and colleagues read these at once, the studio when they ask for changes.`
            : can_comment
              ? 'This delivery does not wait for comments any more.'
              : 'You may look at the files and download them.'
        }
        onKeep={keep}
        onRemove={(id) => setRemoving(comments.find((comment) => comment.id === id) ?? null)}
      />
      {removing && (
        <Confirm
          opened
          onClose={() => setRemoving(null)}
          title={`Delete comment ${removing.number}?`}
          confirm="Delete"
          destructive
          pending={isRemoving}
          error={null}
          onConfirm={() => remove(removing.id, () => setRemoving(null))}
        >
          It cannot be brought back.
        </Confirm>
      )}
    </>
  );
}

const saveDelivery = (round: number) =>
  guestApi.createReviewArchive({ body: { round } }).then(({ download }) => saveFrom(download.url), sayError);

const writingKey = 'atelier-review-writing';
const key = ['guest', 'comments'];
const sayError = (error: AtelierError) => notify(failureSentence(error));

function useGuestComments(name: string, round: number) {
  const { data } = useQuery({ queryKey: key, queryFn: () => guestApi.listGuestComments(), refetchInterval: 6_000 });
  const [writing, setStored] = useState(
    () => JSON.parse(sessionStorage.getItem(writingKey) ?? 'null') as Writing | null,
  );
  const setWriting = (next: Writing | null) => {
    sessionStorage.setItem(writingKey, JSON.stringify(next));
    setStored(next);
  };
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const create = useMutation({
    mutationFn: ({ fileId, place, text }: Writing) =>
      guestApi.createGuestComment({
        body: { name, file_id: fileId, text: text.trim(), at: place ? fragmentOf(place) : undefined },
      }),
    // What could not be saved stays in the field.
    onSuccess: () => (setWriting(null), refresh()),
    onError: sayError,
  });
  const remove = useMutation({
    mutationFn: (id: string) => guestApi.deleteGuestComment({ path: { id } }),
    onSuccess: refresh,
    onError: sayError,
  });
  return {
    comments: (data?.comments ?? []).filter((comment) => comment.round === round).map(shownComment),
    writing,
    setWriting,
    keep: () => writing && !create.isPending && create.mutate(writing),
    remove: (id: string, onRemoved: () => void) => remove.mutate(id, { onSuccess: onRemoved }),
    isRemoving: remove.isPending,
  };
}
