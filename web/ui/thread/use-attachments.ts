import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import { type SendFile, useUploads } from '../upload/uploads.ts';
import { type Attachment, type MessageDraft, withFile, withoutFile } from './message-draft.ts';

/** Files of a draft: chosen, or dropped and pasted anywhere over an element. */
export function useAttachments(
  upload: SendFile<Attachment>,
  setDraft: Dispatch<SetStateAction<MessageDraft>>,
  over: RefObject<HTMLElement | null>,
) {
  const queue = useUploads(upload, {
    onStored: (file) => setDraft((draft) => withFile(draft, file)),
    onRemoved: ({ id }) => setDraft((draft) => withoutFile(draft, id)),
  });
  const dropping = useDroppedFiles(over, queue.add);
  return { queue, dropping };
}

/** A page can have other places for files, so these events end here. */
function useDroppedFiles(over: RefObject<HTMLElement | null>, add: (files: Iterable<File>) => void): boolean {
  const [dropping, setDropping] = useState(false);
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const { current: element } = over;
    if (!element) return;
    const end = new AbortController();
    const listen = <Type extends 'dragover' | 'dragleave' | 'drop' | 'paste'>(
      type: Type,
      run: (event: HTMLElementEventMap[Type]) => void,
    ) => element.addEventListener(type, run, { signal: end.signal });
    const take = (event: Event, files: FileList | undefined) => {
      setDropping(false);
      if (!files || files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current([...files]);
    };
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDropping(true);
    });
    listen('dragleave', ({ relatedTarget }) => {
      if (!element.contains(relatedTarget as Node | null)) setDropping(false);
    });
    listen('drop', (event) => take(event, event.dataTransfer?.files));
    listen('paste', (event) => take(event, event.clipboardData?.files));
    return () => end.abort();
  }, [over]);
  return dropping;
}
