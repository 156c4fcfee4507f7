import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

type Place = RefObject<HTMLElement | null> | 'page';

/** Files dropped or pasted on an element, or anywhere on the page. True while they are dragged over it. */
export function useDroppedFiles(
  over: Place,
  add: (files: Iterable<File>) => void,
  how: ('drop' | 'paste')[] = ['drop', 'paste'],
): boolean {
  const [dropping, setDropping] = useState(false);
  // The innermost place has them: the events end there.
  const take = useEffectEvent((event: Event, files: FileList | undefined) => {
    setDropping(false);
    if (!files || files.length === 0) return;
    // Text that was copied with a picture still gets to a field of the page.
    if (event.type === 'drop' || over !== 'page') event.preventDefault();
    event.stopPropagation();
    add([...files]);
  });
  const kinds = how.join(' ');
  useEffect(() => {
    // Both name their events and files alike.
    const place = over === 'page' ? (document as unknown as HTMLElement) : over.current;
    if (!place) return;
    const end = new AbortController();
    const { signal } = end;
    if (kinds.includes('paste'))
      place.addEventListener('paste', (event) => take(event, event.clipboardData?.files), { signal });
    if (kinds.includes('drop')) {
      const onDragOver = (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      };
      const onDragLeave = ({ relatedTarget }: DragEvent) => {
        if (!place.contains(relatedTarget as Node | null)) setDropping(false);
      };
      place.addEventListener('dragover', onDragOver, { signal });
      place.addEventListener('dragleave', onDragLeave, { signal });
      place.addEventListener('drop', (event) => take(event, event.dataTransfer?.files), { signal });
    }
    return () => end.abort();
  }, [over, kinds]);
  return dropping;
}
