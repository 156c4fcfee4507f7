import type { ReviewComment } from '../../app/api.ts';

/** Comments on the deliveries of a job, as its page counts them. */
export type CommentCounts = {
  /** Of the newest delivery, not sent to the studio. */
  unsent: number;
  /** Of a delivered file, while its delivery waits. */
  onFile: (fileId: string) => number;
  /** That asked for the changes of a round: 1 is the first round of changes. */
  sentFor: (round: number) => number;
  /** What became of the comments on the delivery before the newest; null without any. */
  done: { done: number; of: number } | null;
  /** Who commented on the newest delivery, in the order of their first comments. */
  authors: { name: string; isGuest: boolean; count: number }[];
};

export function countComments(comments: ReviewComment[], newest: number): CommentCounts {
  const current = comments.filter(({ round }) => round === newest);
  const sentBefore = comments.filter(({ round, sent_at }) => round === newest - 1 && sent_at !== null);
  return {
    unsent: current.filter(({ sent_at, never_sent }) => sent_at === null && !never_sent).length,
    onFile: (fileId) => current.filter(({ file_id }) => file_id === fileId).length,
    sentFor: (change) => comments.filter(({ round, sent_at }) => round === change - 1 && sent_at !== null).length,
    done:
      sentBefore.length === 0
        ? null
        : { done: sentBefore.filter(({ done_at }) => done_at !== null).length, of: sentBefore.length },
    authors: authorsOf(current),
  };
}

/** A guest may have the name of a member. */
const authorsOf = (comments: ReviewComment[]): CommentCounts['authors'] =>
  [...Map.groupBy(comments, ({ author }) => `${author.kind} ${author.name}`).values()].map((all) => ({
    name: all[0]!.author.name,
    isGuest: all[0]!.author.kind === 'guest',
    count: all.length,
  }));
