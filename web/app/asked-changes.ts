import type { ReviewComment as ShownComment } from '../ui/review/comments.ts';
import type { AskedChange } from '../ui/review/compare.ts';
import { parsePlace } from '../ui/review/place.ts';
import type { Job, ReviewComment } from './api.ts';

/** A comment as the review shows it to those who may only read it. */
export const readComment = (comment: ReviewComment): ShownComment => ({
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
  replies: comment.replies.map(({ id, text, author, created_at }) => ({
    id,
    text,
    author: author.name,
    isGuest: author.kind === 'guest',
    createdAt: created_at,
    canRemove: false,
  })),
  settledBy: comment.settled_at === null ? null : comment.settled_by || 'a colleague',
  isOpen: false,
});

/** Comments that asked for changes between two deliveries, in the order of their rounds. */
export const askedBetween = (comments: ReviewComment[], earlier: number, later: number): AskedChange[] =>
  comments
    .filter(({ round, sent_at }) => sent_at !== null && round >= earlier && round < later)
    .toSorted((first, other) => first.round - other.round || first.number - other.number)
    .map((comment) => ({
      ...readComment(comment),
      round: comment.round,
      fileName: comment.file_name,
      isDone: comment.done_at !== null,
      note: comment.done_note,
    }));

/** What was asked for in words between two deliveries. */
export const askedInWords = (job: Pick<Job, 'revision_requests'>, earlier: number, later: number) =>
  job.revision_requests
    .filter(({ round, customer_instructions: text }) => round > earlier && round <= later && text !== '')
    .map(({ round, customer_instructions: text }) => ({ round, text }));

export const withoutComments = 'The changes were asked for in words alone, without comments.';
