import type { AskedChange } from '../ui/review/compare.ts';
import { parsePlace } from '../ui/review/place.ts';
import type { ReviewComment } from './api.ts';

/** Comments that asked for changes between two deliveries, in the order of their rounds. */
export const askedBetween = (comments: ReviewComment[], earlier: number, later: number): AskedChange[] =>
  comments
    .filter(({ round, sent_at }) => sent_at !== null && round >= earlier && round < later)
    .toSorted((first, other) => first.round - other.round || first.number - other.number)
    .map((comment) => ({
      id: comment.id,
      round: comment.round,
      number: comment.number,
      fileId: comment.file_id,
      fileName: comment.file_name,
      place: parsePlace(comment.at),
      text: comment.text,
      isDone: comment.done_at !== null,
      note: comment.done_note,
    }));

export const withoutComments = 'The changes were asked for in words alone, without comments.';
