import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { store } from '../page/store.ts';

export type Shortcut = {
  keys: string;
  label: string;
  /** One or two words for the line of keys at the foot of a page, which leaves out keys without. */
  hint: string | undefined;
  layer: number;
  run: () => void;
};

/** While something on a higher layer is shown over the page, the page's own shortcuts are off. */
export const ShortcutLayer = createContext(0);

/** The list of keys can be opened from any layer. */
const onEveryLayer = '?';

const registered = new Set<Shortcut>();
const active = store<Shortcut[]>([]);
const changed = () => {
  const top = Math.max(...[...registered].map(({ layer }) => layer));
  active.set([...registered].filter(({ keys, layer }) => layer === top || keys === onEveryLayer));
};

/** The latest registration wins. */
export const shortcutOf = (keys: string): Shortcut | undefined =>
  active.read().findLast((shortcut) => shortcut.keys === keys);

export const useShortcuts = active.use;

/** Registers a shortcut while the component is mounted. A null `run` disables it. */
export function useShortcut(keys: string, label: string, run: (() => void) | null, hint?: string): void {
  const layer = useContext(ShortcutLayer);
  const latest = useRef(run);
  latest.current = run;
  const possible = run !== null;
  useEffect(() => {
    if (!possible) return;
    const shortcut = { keys, label, hint, layer, run: () => latest.current?.() };
    registered.add(shortcut);
    changed();
    return () => {
      registered.delete(shortcut);
      changed();
    };
  }, [keys, label, hint, layer, possible]);
}

const singleKeysSetting = 'atelier-single-keys';
/** Single keys can be turned off (WCAG 2.1.4): speech input types them by accident. */
export const singleKeysOn = () => localStorage.getItem(singleKeysSetting) !== 'off';
export const setSingleKeys = (on: boolean) => localStorage.setItem(singleKeysSetting, on ? 'on' : 'off');

const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  Enter: '↵',
  Shift: '⇧',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'space',
};

export const Keys = ({ children }: { children: string }): ReactNode =>
  (children === '+' ? ['+'] : children.split('+')).map((key) => (
    <kbd key={key} style={{ marginLeft: 3 }}>
      {names[key] ?? key.replace(/^[A-Z]$/, '⇧ $&')}
    </kbd>
  ));

/** On a button, outside its accessible name. */
export const KeyHint = ({ children }: { children: string }) => (
  <span className="wide-only" aria-hidden>
    <Keys>{children}</Keys>
  </span>
);
