import { Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

const shownLines = 6;

/** Text that shows six lines, and a button for the rest. */
export function Folded({ children, as: Element = 'p' }: { children: ReactNode; as?: 'p' | 'dd' }) {
  const text = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element) return;
    const measure = () => {
      const height = Number.parseFloat(getComputedStyle(element).lineHeight);
      setHidden(Math.max(0, Math.round(element.scrollHeight / height) - shownLines));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [children]);
  const isWhole = open || hidden === 0;
  return (
    <Element className="prose">
      <Text component="span" ref={text} inherit {...(isWhole ? { display: 'block' } : { lineClamp: shownLines })}>
        {children}
      </Text>
      {hidden > 0 && (
        <button type="button" className="link-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : hidden === 1 ? 'Show the other line' : `Show the other ${hidden} lines`}
        </button>
      )}
    </Element>
  );
}
