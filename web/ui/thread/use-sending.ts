import { useEffect, useRef, useState } from 'react';
import type { useUploads } from '../upload/uploads.ts';
import {
  type Attachment,
  isSendable,
  type MessageDraft,
  type OutgoingMessage,
  type SetDraft,
  withKey,
} from './message-draft.ts';

export type Send = (message: OutgoingMessage) => Promise<unknown>;

/** From `useDraft(name, emptyDraft)`: the draft, its setter, and what forgets it after sending. */
export type DraftState = readonly [MessageDraft, SetDraft, forget: () => void];

/** Sends once all files are uploaded. What fails stays in the field, with its key. */
export function useSending([draft, setDraft, forget]: DraftState, queue: ReturnType<typeof useUploads<Attachment>>) {
  const [waiting, setWaiting] = useState<{ send: Send } | null>(null);
  const [sending, setSending] = useState(false);
  const [failed, setFailed] = useState<{ error: Error; send: Send } | null>(null);
  const uploading = queue.uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const broken = queue.uploads.some(({ state }) => state === 'failed');

  const run = async (send: Send) => {
    const sent = withKey(draft);
    setDraft(sent);
    setSending(true);
    setFailed(null);
    try {
      await send({ text: sent.text.trim(), fileIds: sent.files.map(({ id }) => id), key: sent.key });
      forget();
      for (const { id } of queue.uploads) queue.forget(id);
    } catch (error) {
      setFailed({ error: error as Error, send });
    } finally {
      setSending(false);
    }
  };

  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!waiting || uploading > 0) return;
    setWaiting(null);
    // A file that was refused is left to the author.
    if (!broken) void latest.current(waiting.send);
  }, [waiting, uploading, broken]);

  return {
    sending,
    failed,
    /** How many files it waits for; null unless it waits. */
    waitsFor: waiting ? uploading : null,
    stopWaiting: () => setWaiting(null),
    start: (send: Send) => {
      if (sending || broken || !isSendable(draft)) return;
      if (uploading > 0) setWaiting({ send });
      else void run(send);
    },
  };
}
