import { Suspense, useEffect, useState } from 'react';
import { part } from '../page/part.tsx';
import type { PaletteProps } from './palette-dialog.tsx';
import { useShortcut } from './shortcuts.tsx';

const load = () => import('./palette-dialog.tsx');
const PaletteDialog = part(load, 'PaletteDialog');

/** `mod+K`: every page, what the present page can do, and what the app adds, such as jobs by name. */
export function Palette(props: PaletteProps) {
  const [wanted, setWanted] = useState(false);
  useShortcut('mod+k', 'Find a page or an action', wanted ? null : () => setWanted(true));
  // Fetched before it is asked for: what is typed while it comes would be lost.
  useEffect(() => {
    const waiting = setTimeout(() => void load().catch(() => {}), 1_500);
    return () => clearTimeout(waiting);
  }, []);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <PaletteDialog {...props} />
    </Suspense>
  );
}
