import { useEffect } from 'react';

/** What had the focus last on the page itself: in no dialog, and in no menu, whose items are gone when the focus comes back. */
let last: HTMLElement | null = null;

/** Notes it from the start of the app. */
export const noteFocus = (): void =>
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest('[role=dialog], [role=menu]')) last = target;
  });

/**
 * Gives the focus back to what opened this, unless it was led elsewhere meanwhile. The component library does so only for what stood
 * on the page closed: not for what is put there opened, nor for what is taken off it.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    const opener = last;
    return () => {
      const active = document.activeElement;
      if (!active || active === document.body || active.closest('[role=dialog]'))
        opener?.focus({ preventScroll: true });
    };
  }, [opened]);
}
