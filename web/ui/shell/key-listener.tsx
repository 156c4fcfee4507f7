import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { forgetFocus } from '../dialog/focus-back.ts';
import { dialogPart } from '../page/part.tsx';
import { shortcutOf, singleKeysOn, useShortcut } from './shortcuts.tsx';

const KeySheet = dialogPart(() => import('./key-sheet.tsx'), 'KeySheet');

/** Handles all shortcuts, and shows their list on `?`. */
export function KeyListener() {
  const [open, setOpen] = useState(false);
  useShortcut('?', 'Show these keys', () => setOpen(true));
  useWindowEvent('keydown', noteDialog, true);
  useWindowEvent('keydown', onKey);
  return <KeySheet opened={open} onClose={() => setOpen(false)} />;
}

/** A box has no letters, and a slider has only keys that move it. */
const isTyping = ({ target, key }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(
    target instanceof HTMLInputElement &&
    (target.type === 'checkbox' || (target.type === 'range' && !moves.test(key)))
  );

/** Space presses the button that keys have reached; one that was clicked keeps the focus unseen. */
const isPressing = ({ target, key }: KeyboardEvent) =>
  key === ' ' &&
  target instanceof HTMLElement &&
  target.matches(':is(button, a, summary, [role=button]):focus-visible');

const moves = /^(Arrow|Page|Home|End)/;

function pressed({ ctrlKey, metaKey, shiftKey, key }: KeyboardEvent): string {
  if (!ctrlKey && !metaKey) return key;
  return shiftKey && key === 'Enter' ? 'mod+Shift+Enter' : `mod+${key}`;
}

/** Escape takes a dialog away before `onKey` runs, and must close nothing else. */
let hadDialog = false;
const noteDialog = () => {
  hadDialog = document.querySelector('[aria-modal="true"]') !== null;
};

function onKey(event: KeyboardEvent): void {
  const keys = pressed(event);
  const withModifier = keys.startsWith('mod+');
  // A dialog blocks the shortcuts below it.
  if (event.defaultPrevented || event.altKey || hadDialog) return;
  // Escape leaves a text field, in which single keys are letters.
  if (keys === 'Escape' && event.target instanceof HTMLTextAreaElement) {
    event.target.blur();
    return forgetFocus();
  }
  if (!withModifier && (isTyping(event) || isPressing(event) || !singleKeysOn())) return;
  // A text field undoes what was typed in it.
  if (keys === 'mod+z' && isTyping(event)) return;
  const shortcut = shortcutOf(keys);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run();
}
