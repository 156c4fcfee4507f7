import type { ReviewComment as StoredComment } from '../../app/api.ts';
import type { ReviewComment } from '../../ui/review/comments.ts';
import { parsePlace } from '../../ui/review/place.ts';

/** Guests may delete their comments, but not change them. */
export const shownComment = (comment: StoredComment): ReviewComment => {
  const { author, editable, sent_at } = comment;
  const isGuest = author.kind === 'guest';
  return {
    id: comment.id,
    number: comment.number,
    fileId: comment.file_id,
    place: parsePlace(comment.at),
    text: comment.text,
    author: editable && !isGuest ? 'You' : author.name,
    isGuest,
    createdAt: comment.created_at,
    canEdit: editable && !isGuest,
    canRemove: editable || (isGuest && sent_at === null && !comment.never_sent),
  };
};
