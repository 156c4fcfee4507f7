import type { Place } from './place.ts';

export type Reply = {
  id: string;
  text: string;
  /** "You" for the reader's own. */
  author: string;
  isGuest: boolean;
  createdAt: string;
  canRemove: boolean;
};

/** What members and guests do beside writing comments, before these are sent. */
export type Talk = {
  /** The reply that is being written, and the comment that it is to. */
  replying: { id: string; text: string } | null;
  setReplying: (replying: { id: string; text: string } | null) => void;
  sendReply: () => void;
  isSending: boolean;
  onRemoveReply: (commentId: string, replyId: string) => void;
  /** Null for guests. */
  onSettle: ((id: string, settled: boolean) => void) | null;
};

/** A comment as the review shows it. */
export type ReviewComment = {
  id: string;
  /** Runs through the round, not through the file. */
  number: number;
  fileId: string;
  place: Place | null;
  text: string;
  /** "You" for the reader's own. */
  author: string;
  isGuest: boolean;
  createdAt: string;
  canEdit: boolean;
  canRemove: boolean;
  replies: Reply[];
  /** Who settled it; null while it is open. */
  settledBy: string | null;
  /** Whether it takes replies and can be settled: not once it is sent. */
  isOpen: boolean;
  /** What the studio did, where that is shown. */
  answer?: { isDone: boolean; note: string | null };
  /** Of a comment that the service does not have; `lost` once its review has ended. */
  unsaved?: 'sending' | 'failed' | 'lost';
};

/** The comment that is being written: new, or `id` of the comment it changes. */
export type Writing = { id: string | null; fileId: string; place: Place | null; text: string };

export const ofFile = <Comment extends { fileId: string }>(comments: Comment[], fileId: string): Comment[] =>
  comments.filter((comment) => comment.fileId === fileId);

export const nextNumber = (comments: { number: number }[]): number =>
  Math.max(0, ...comments.map(({ number }) => number)) + 1;

/** The comment `by` steps further in order of numbers, from the start if none is selected. Wraps around. */
export function neighbor(comments: { id: string; number: number }[], selected: string | null, by: 1 | -1) {
  const ordered = comments.toSorted((first, other) => first.number - other.number);
  return stepFrom(ordered, selected, by);
}

/** The same in the order that is given. */
export function stepFrom<Item extends { id: string }>(ordered: Item[], selected: string | null, by: 1 | -1) {
  const at = ordered.findIndex(({ id }) => id === selected);
  if (at === -1) return by === 1 ? ordered[0] : ordered.at(-1);
  return ordered.at((at + by) % ordered.length);
}

/** Other files with their number of comments, in order of the files. */
export const elsewhere = <File extends { id: string }>(files: File[], comments: { fileId: string }[], fileId: string) =>
  files
    .filter(({ id }) => id !== fileId)
    .map((file) => ({ file, count: ofFile(comments, file.id).length }))
    .filter(({ count }) => count > 0);
