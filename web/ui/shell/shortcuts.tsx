import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';

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

/** The latest registration wins. */
export const shortcutOf = (keys: string): Shortcut | undefined =>
  snapshot.findLast((shortcut) => shortcut.keys === keys);

export const useShortcuts = () => useSyncExternalStore(subscribe, () => snapshot);

/** Registers a shortcut while the component is mounted. A null `run` disables it. */
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

const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
const names: Record<string, string> = { mod: isMac ? '⌘' : 'Ctrl', Enter: '↵', Escape: 'Esc' };

export const Keys = ({ children }: { children: string }): ReactNode =>
  children.split('+').map((key) => (
    <kbd key={key} style={{ marginLeft: 3 }}>
      {names[key] ?? key}
    </kbd>
  ));

/** On a button, outside its accessible name. */
export const KeyHint = ({ children }: { children: string }) => (
  <span className="wide-only" aria-hidden>
    <Keys>{children}</Keys>
  </span>
);
