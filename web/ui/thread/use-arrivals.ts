import { useDocumentVisibility } from '@mantine/hooks';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { StoryEntry } from './story.ts';

const isOwn = (entry: StoryEntry) => (entry.kind === 'event' ? entry.who === 'You' : entry.you);

/**
 * Keeps what the reader looks at where it is when entries arrive. Answers the ids of those that arrived below
 * the window and were not looked at.
 */
export function useArrivals(entries: StoryEntry[], list: RefObject<HTMLElement | null>): string[] {
  const [below, setBelow] = useState<string[]>([]);
  const seen = useRef<Set<string> | null>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    const { current: element } = list;
    if (!element) return;
    const before = seen.current;
    const added = before === null ? [] : entries.filter(({ id }) => !before.has(id));
    const grown = element.offsetHeight - height.current;
    seen.current = new Set(entries.map(({ id }) => id));
    height.current = element.offsetHeight;
    if (added.length === 0) return;
    const end = element.getBoundingClientRect().bottom - grown;
    const others = added.filter((entry) => !isOwn(entry)).map(({ id }) => id);
    if (end > 0 && end <= innerHeight) scrollBy({ top: grown, behavior: 'instant' });
    else if (end > innerHeight) setBelow((ids) => [...ids, ...others]);
  }, [entries, list]);
  const visible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (!visible || below.length === 0) return;
    const drop = (ids: string[]) => setBelow((before) => before.filter((id) => !ids.includes(id)));
    const observer = new IntersectionObserver((changes) => {
      const looked = changes.flatMap(({ isIntersecting, target }) => (isIntersecting ? [target.id] : []));
      if (looked.length > 0) drop(looked);
    });
    for (const id of below) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
      else drop([id]); // it was taken back
    }
    return () => observer.disconnect();
  }, [below, visible]);
  return below;
}

/** Whether the end of the story is in the window, and the window is looked at. */
export function useAtEnd(end: RefObject<HTMLElement | null>): boolean {
  const [inWindow, setInWindow] = useState(false);
  const visible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    const { current: element } = end;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setInWindow(entry?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [end]);
  return inWindow && visible;
}
