import { Suspense, useEffect, useState } from 'react';
import { part } from '../page/part.tsx';
import { useLater } from '../page/use-later.ts';
import { shortcutOf, singleKeysOn, useShortcut } from './shortcuts.tsx';

const KeySheet = part(() => import('./key-sheet.tsx'), 'KeySheet');

/** Handles all shortcuts, and shows their list on `?`. */
export function KeyListener() {
  const [open, setOpen] = useState(false);
  useShortcut('?', 'Show these keys', () => setOpen(true));
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!useLater(open)) return null;
  return (
    <Suspense fallback={null}>
      <KeySheet opened={open} onClose={() => setOpen(false)} />
    </Suspense>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const pressed = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey ? `mod+${event.key}` : event.key);

function onKey(event: KeyboardEvent): void {
  const keys = pressed(event);
  const withModifier = keys.startsWith('mod+');
  // A dialog blocks the shortcuts below it.
  if (event.defaultPrevented || event.altKey || document.querySelector('[aria-modal="true"]')) return;
  // Escape leaves a text field, in which single keys are letters.
  if (keys === 'Escape' && event.target instanceof HTMLTextAreaElement) return event.target.blur();
  if (!withModifier && (isTyping(event.target) || !singleKeysOn())) return;
  const shortcut = shortcutOf(keys);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run();
}
