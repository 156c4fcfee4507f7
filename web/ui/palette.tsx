import { lazy, Suspense, useState } from 'react';
import { useShortcut } from './shortcuts.tsx';

export type PaletteAction = { id: string; label: string; group: string; detail?: string; run: () => void };
export type PaletteProps = { actions: PaletteAction[]; onQuery?: (query: string) => void };

const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }));

/** `mod+K`: every page, what the present page can do, and what the app adds, such as jobs by name. */
export function Palette(props: PaletteProps) {
  const [wanted, setWanted] = useState(false);
  useShortcut('mod+k', 'Find a page or an action', wanted ? null : () => setWanted(true));
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <PaletteDialog {...props} />
    </Suspense>
  );
}
