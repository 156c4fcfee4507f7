import { useOperation } from '../../app/api.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import type { ReviewComment } from '../../ui/review/comments.ts';

type Props = { jobId: string; comment: ReviewComment; onClose: () => void };

export function RemoveComment({ jobId, comment, onClose }: Props) {
  const remove = useOperation('deleteComment');
  const { id, number, isGuest, author } = comment;
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete comment ${number}?`}
      confirm="Delete"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { id: jobId, comment_id: id } }, { onSuccess: onClose })}
    >
      {isGuest ? `${author} and everybody else who reviews this delivery` : 'Everybody who reviews this delivery'} stops
      seeing it. It cannot be brought back.
    </Confirm>
  );
}
