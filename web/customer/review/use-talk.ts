import type { QueryKey } from '@tanstack/react-query';
import { type AtelierError, type ReviewComment, queryClient, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useMoveKey } from '../../ui/form/form.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import type { Talk } from '../../ui/review/comments.ts';

type Listed = { comments: ReviewComment[] };

/** Replies of a member, and comments that they settle. What could not be sent stays in the field. */
export function useTalk(jobId: string, round: number, listKey: QueryKey) {
  const [replying, setReplying, forget] = useDraft<Talk['replying']>(`reply-${jobId}-${round}`, null);
  const reply = useOperation('createReply');
  const removal = useOperation('deleteReply');
  const settling = useOperation('settleComment');
  const text = replying?.text.trim() ?? '';
  const key = useMoveKey(`${replying?.id}-${text}`);
  const show = {
    onSuccess: ({ comment }: { comment: ReviewComment }) =>
      queryClient.setQueryData(
        listKey,
        (now: Listed | undefined) => now && { ...now, comments: replaced(now, comment) },
      ),
    onError: (error: AtelierError) => notify(failureSentence(error)),
  };
  const sendReply = () => {
    if (!replying || text === '' || reply.isPending) return;
    reply.mutate(
      { path: { id: jobId, comment_id: replying.id }, body: { text }, idempotencyKey: key },
      { ...show, onSuccess: (answer) => (forget(), show.onSuccess(answer)) },
    );
  };
  return {
    replying,
    setReplying,
    sendReply,
    isSending: reply.isPending,
    hasWords: text !== '',
    onRemoveReply: (comment_id: string, reply_id: string) =>
      removal.mutate({ path: { id: jobId, comment_id, reply_id } }, show),
    onSettle: (comment_id: string, settled: boolean) =>
      settling.mutate({ path: { id: jobId, comment_id }, body: { settled } }, show),
  };
}

const replaced = ({ comments }: Listed, comment: ReviewComment) =>
  comments.map((each) => (each.id === comment.id ? comment : each));
