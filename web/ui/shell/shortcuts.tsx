import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLater } from '../page/use-later.ts';
import { part } from '../page/part.tsx';

const KeySheet = part(() => import('./key-sheet.tsx'), 'KeySheet');

/** `mod+Enter`, `a`, `?`: what is pressed, what it does, and the doing. */
export type Shortcut = { keys: string; label: string; run: () => void };

const registered = new Set<Shortcut>();
let snapshot: Shortcut[] = [];
const listeners = new Set<() => void>();
const changed = () => {
  snapshot = [...registered];
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShortcuts = () => useSyncExternalStore(subscribe, () => snapshot);

/** Registers keys for as long as the part that offers them is on the page; null while it cannot be done. */
export function useShortcut(keys: string, label: string, run: (() => void) | null): void {
  const latest = useRef(run);
  latest.current = run;
  const possible = run !== null;
  useEffect(() => {
    if (!possible) return;
    const shortcut = { keys, label, run: () => latest.current?.() };
    registered.add(shortcut);
    changed();
    return () => {
      registered.delete(shortcut);
      changed();
    };
  }, [keys, label, possible]);
}

const singleKeysSetting = 'atelier-single-keys';
/** Single keys can be turned off (WCAG 2.1.4): speech input types them by accident. */
export const singleKeysOn = () => localStorage.getItem(singleKeysSetting) !== 'off';
export const setSingleKeys = (on: boolean) => localStorage.setItem(singleKeysSetting, on ? 'on' : 'off');

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const pressed = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey ? `mod+${event.key}` : event.key);

function onKey(event: KeyboardEvent): void {
  const keys = pressed(event);
  const withModifier = keys.startsWith('mod+');
  // What lies below a dialog is out of reach of its keys, too.
  if (event.defaultPrevented || event.altKey || document.querySelector('[aria-modal="true"]')) return;
  // The way out of a field in which the single keys are letters.
  if (keys === 'Escape' && event.target instanceof HTMLTextAreaElement) return event.target.blur();
  if (!withModifier && (isTyping(event.target) || !singleKeysOn())) return;
  // The latest registered wins.
  const found = snapshot.findLast((shortcut) => shortcut.keys === keys);
  if (!found) return;
  event.preventDefault();
  found.run();
}

/** Listens once for the whole app, and shows the sheet of keys on `?`. */
export function Shortcuts() {
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

const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
const names: Record<string, string> = { mod: isMac ? '⌘' : 'Ctrl', Enter: '↵', Escape: 'Esc' };

/** Keys as a hint beside what they do. */
export const Keys = ({ children }: { children: string }): ReactNode =>
  children.split('+').map((key) => (
    <kbd key={key} style={{ marginLeft: 3 }}>
      {names[key] ?? key}
    </kbd>
  ));

/** The same on a button, whose name it is no part of. */
export const KeyHint = ({ children }: { children: string }) => (
  <span className="wide-only" aria-hidden>
    <Keys>{children}</Keys>
  </span>
);
