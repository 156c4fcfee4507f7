import { IconColumns2 } from '../../ui/look/icons.ts';
import type { ReviewComment as StoredComment } from '../../app/api.ts';
import type { ReviewComment } from '../../ui/review/comments.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { useReview } from '../../ui/review/use-review.ts';
import { Viewer } from '../../ui/review/viewer.tsx';
import type { ModeProps } from './mode.ts';

/** One delivery, with the comments that were sent about it and what became of them. */
export function Look(props: ModeProps & { commentId: string | null }) {
  const { title, state, delivery, before, fileId, onFile, onCompare, onClose, commentId } = props;
  const comments = props.comments.filter(({ round }) => round === delivery.round).map(shown);
  const review = useReview({
    files: delivery.files,
    fileId,
    onFile,
    comments,
    first: commentId,
    canComment: false,
    writing: null,
    setWriting: () => {},
    onClose,
  });
  const done = comments.filter(({ answer }) => answer).length;
  const compare = before && `Compare with ${before.round + 1}`;
  const onGo = () => before && onCompare(before.round, fileId);
  return (
    <Viewer
      review={review}
      title={title}
      subtitle={[delivery.label, state].filter(Boolean).join(' · ')}
      onClose={onClose}
      ways={compare ? [{ label: compare, phoneLabel: compare, icon: IconColumns2, onGo }] : []}
      phoneActions={null}
      state={comments.length > 0 && `${done} of ${comments.length} done`}
      readers={
        comments.length > 0
          ? 'The customer reads what is done, and your notes, with the next delivery.'
          : 'Comments reach the studio when the customer asks for changes.'
      }
      none="No comments on this delivery were sent."
      onKeep={() => {}}
      onRemove={() => {}}
      onRetry={() => {}}
    />
  );
}

const shown = (comment: StoredComment): ReviewComment => ({
  id: comment.id,
  number: comment.number,
  fileId: comment.file_id,
  place: parsePlace(comment.at),
  text: comment.text,
  author: comment.author.name,
  isGuest: comment.author.kind === 'guest',
  createdAt: comment.created_at,
  canEdit: false,
  canRemove: false,
  ...(comment.done_at === null ? {} : { answer: { isDone: true, note: comment.done_note } }),
});
