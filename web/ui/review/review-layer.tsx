import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { ShortcutLayer } from '../shell/shortcuts.tsx';

/** Covers the page: nothing below it can be reached, by keys or by a screen reader. */
export function ReviewLayer({ children }: { children: ReactNode }) {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const root = document.getElementById('root');
    root?.setAttribute('inert', '');
    return () => {
      root?.removeAttribute('inert');
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [opener]);
  return createPortal(<ShortcutLayer value={1}>{children}</ShortcutLayer>, document.body);
}
