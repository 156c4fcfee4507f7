import type { Dispatch, SetStateAction } from 'react';
import { placeIn } from '../upload/chosen-order.ts';

export type Attachment = { id: string; file_name: string; content_type: string; size_bytes: number };

/** A message that is not sent. `key` is the Idempotency-Key of its first attempt, for the next attempts. */
export type MessageDraft = { text: string; files: Attachment[]; key: string | null };

export type SetDraft = Dispatch<SetStateAction<MessageDraft>>;

/** What is sent: `files` in the order in which they were chosen. */
export type OutgoingMessage = { text: string; fileIds: string[]; key: string };

export const emptyDraft: MessageDraft = { text: '', files: [], key: null };

/** The same key with another content would be refused. */
export const changed = (draft: MessageDraft, change: Partial<Pick<MessageDraft, 'text' | 'files'>>): MessageDraft => ({
  ...draft,
  ...change,
  key: null,
});

export function withFile(draft: MessageDraft, file: Attachment): MessageDraft {
  const ids = draft.files.map(({ id }) => id);
  return changed(draft, { files: draft.files.toSpliced(placeIn(ids, file.id), 0, file) });
}

export const withoutFile = (draft: MessageDraft, id: string): MessageDraft =>
  changed(draft, { files: draft.files.filter((file) => file.id !== id) });

export const withKey = (draft: MessageDraft): MessageDraft & { key: string } => ({
  ...draft,
  key: draft.key ?? crypto.randomUUID(),
});

/** A message needs words: files alone do not say what they are for. */
export const isSendable = ({ text }: MessageDraft): boolean => text.trim() !== '';

/** Text of another draft at the end of this one. */
export const joined = (draft: MessageDraft, other: MessageDraft): MessageDraft =>
  changed(draft, {
    text: [draft.text.trim(), other.text.trim()].filter(Boolean).join('\n\n'),
    files: [...draft.files, ...other.files],
  });
