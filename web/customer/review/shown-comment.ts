import type { ReviewComment as StoredComment } from '../../app/api.ts';
import { readComment } from '../../app/asked-changes.ts';
import type { ReviewComment } from '../../ui/review/comments.ts';

/** Guests may delete their comments, but not change them. */
export const shownComment = (stored: StoredComment): ReviewComment => {
  const { editable, sent_at, never_sent } = stored;
  const comment = readComment(stored);
  const canEdit = editable && !comment.isGuest;
  const canRemove = editable || (comment.isGuest && sent_at === null && !never_sent);
  return { ...comment, canEdit, canRemove, ...(canEdit && { author: 'You' }) };
};
