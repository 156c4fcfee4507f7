import { useEffect } from 'react';

/** The last focused element outside dialogs and menus. */
let last: HTMLElement | null = null;

export const noteFocus = (): void =>
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest('[role=dialog], [role=menu]')) last = target;
  });

/** For a field that is left by Escape, to which nothing must lead back. */
export const forgetFocus = (): void => {
  last = null;
};

/** The component library only does this for dialogs that stay mounted. */
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
