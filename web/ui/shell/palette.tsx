import { lazy, Suspense, useEffect, useState } from 'react';
import { useShortcut } from './shortcuts.tsx';

export type PaletteAction = { id: string; label: string; group: string; detail?: string; run: () => void };
export type PaletteProps = { actions: PaletteAction[]; onQuery?: (query: string) => void };

const load = async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog });
const PaletteDialog = lazy(load);

/** `mod+K`: every page, what the present page can do, and what the app adds, such as jobs by name. */
export function Palette(props: PaletteProps) {
  const [wanted, setWanted] = useState(false);
  useShortcut('mod+k', 'Find a page or an action', wanted ? null : () => setWanted(true));
  // Fetched before it is asked for: what is typed while it comes would be lost.
  useEffect(() => {
    const waiting = setTimeout(() => void load(), 1_500);
    return () => clearTimeout(waiting);
  }, []);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <PaletteDialog {...props} />
    </Suspense>
  );
}
