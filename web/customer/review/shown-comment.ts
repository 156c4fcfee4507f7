import type { ReviewComment as StoredComment } from '../../app/api.ts';
import { readComment } from '../../app/asked-changes.ts';
import type { ReviewComment } from '../../ui/review/comments.ts';

type Reader = 'member' | 'guest';

/** Guests delete what their link wrote. Members change their own, and delete what guests wrote. */
export const shownComment =
  (reader: Reader) =>
  (stored: StoredComment): ReviewComment => {
    const { editable, sent_at, never_sent } = stored;
    const comment = readComment(stored);
    const isOpen = sent_at === null && !never_sent;
    const canEdit = editable && reader === 'member';
    const removable = (written: { isGuest: boolean }) => isOpen && reader === 'member' && written.isGuest;
    return {
      ...comment,
      isOpen,
      canEdit,
      canRemove: editable || removable(comment),
      ...(canEdit && { author: 'You' }),
      replies: comment.replies.map((reply, index) => {
        const isOwn = stored.replies[index]?.editable ?? false;
        const author = isOwn && reader === 'member' ? 'You' : reply.author;
        return { ...reply, author, canRemove: isOwn || removable(reply) };
      }),
    };
  };
