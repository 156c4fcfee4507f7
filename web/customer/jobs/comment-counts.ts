import type { ReviewComment } from '../../app/api.ts';

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
  const sentOn = (delivery: number) => comments.filter(({ round, sent_at }) => round === delivery && sent_at !== null);
  const before = sentOn(newest - 1);
  return {
    unsent: current.filter(
      ({ sent_at, never_sent, settled_at }) => sent_at === null && !never_sent && settled_at === null,
    ).length,
    onFile: (fileId) => current.filter(({ file_id }) => file_id === fileId).length,
    sentFor: (change) => sentOn(change - 1).length,
    done: before.length > 0 ? { done: before.filter((comment) => comment.done_at).length, of: before.length } : null,
    // A guest may have the name of a member.
    authors: [...Map.groupBy(current, ({ author }) => `${author.kind} ${author.name}`).values()].map((all) => ({
      name: all[0]!.author.name,
      isGuest: all[0]!.author.kind === 'guest',
      count: all.length,
    })),
  };
}
