import { type RefObject, useEffect, useRef, useState } from 'react';

/** Files dropped or pasted on an element. A page can have other places for files, so the events end here. */
export function useDroppedFiles(over: RefObject<HTMLElement | null>, add: (files: Iterable<File>) => void): boolean {
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
