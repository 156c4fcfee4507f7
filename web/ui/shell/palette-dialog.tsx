import { createSpotlight, Spotlight, type SpotlightActionData, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '../look/icons.ts';
import { useEffect } from 'react';
import { useFocusBack } from '../dialog/focus-back.ts';
import { useShortcut, useShortcuts } from './shortcuts.tsx';

export type PaletteAction = { id: string; label: string; group: string; detail?: string; run: () => void };
export type PaletteProps = { actions: PaletteAction[]; onQuery?: (query: string) => void };

const [store, spotlight] = createSpotlight();

const search = { background: 'none', borderColor: 'var(--line)', borderWidth: '0 0 1px', borderRadius: 0, outline: 0 };

const byKeys = new Set(['j', 'k', '?', 'mod+k']);

/** Loaded on first use, and then opened. */
export function PaletteDialog({ actions, onQuery }: PaletteProps) {
  const shortcuts = useShortcuts();
  useFocusBack(useSpotlight(store).opened);
  useEffect(() => spotlight.open(), []);
  useShortcut('mod+k', 'Find a page or an action', () => spotlight.open());
  const here = shortcuts
    .filter(({ keys }) => !byKeys.has(keys))
    .map(({ keys, label, run }): PaletteAction => ({ id: `here-${keys}`, label, group: 'On this page', run }));
  const groups = Map.groupBy([...here, ...actions], ({ group }) => group);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      returnFocus={false}
      highlightQuery
      scrollable
      maxHeight={420}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      styles={{ search }}
      limit={20}
      nothingFound="Nothing found"
      attributes={{ content: { 'aria-label': 'Find' } }}
      searchProps={{ leftSection: <IconSearch size={16} />, placeholder: 'Pages, actions, jobs', 'aria-label': 'Find' }}
      {...(onQuery ? { onQueryChange: onQuery } : {})}
      actions={[...groups].map(([group, items]) => ({ group, actions: items.map(asSpotlight) }))}
    />
  );
}

const asSpotlight = ({ id, label, detail, run }: PaletteAction): SpotlightActionData => ({
  id,
  label,
  ...(detail ? { description: detail } : {}),
  onClick: run,
});
