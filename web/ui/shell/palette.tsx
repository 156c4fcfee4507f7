import { useEffect, useState } from 'react';
import { part } from '../page/part.tsx';
import type { PaletteProps } from './palette-dialog.tsx';
import { useShortcut } from './shortcuts.tsx';

const load = () => import('./palette-dialog.tsx');
const PaletteDialog = part(load, 'PaletteDialog');

/** `mod+K`: pages, actions of the current page, and results such as jobs. */
export function Palette(props: PaletteProps) {
  const [isOpenedOnce, setWanted] = useState(false);
  useShortcut('mod+k', 'Find a page or an action', isOpenedOnce ? null : () => setWanted(true));
  // Loaded before use: keys typed during loading would be lost.
  useEffect(() => {
    const waiting = setTimeout(() => void load().catch(() => {}), 1_500);
    return () => clearTimeout(waiting);
  }, []);
  return isOpenedOnce && <PaletteDialog {...props} />;
}
