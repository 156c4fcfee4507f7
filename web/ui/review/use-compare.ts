import { useState } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import { stepFrom } from './comments.ts';
import { type AskedChange, type Compared, pairFiles, pinsOfPair, shownIn } from './compare.ts';

export type Comparison = {
  /** All that can be compared, oldest first. */
  deliveries: Compared[];
  earlier: Compared;
  later: Compared;
  /** Of the later delivery. */
  fileId: string;
  onFile: (fileId: string) => void;
  /** Opens a new file in the review. */
  onOpen: (fileId: string) => void;
  onClose: () => void;
  /** Asked for between the two deliveries, in the order of their rounds. */
  changes: AskedChange[];
};

/** Which pair is open, which change is selected, and the keys. */
export function useCompare({ deliveries, earlier, later, fileId, onFile, onOpen, onClose, changes }: Comparison) {
  const { pairs, added, dropped } = pairFiles(earlier.files, later.files);
  const [selected, setSelected] = useState<string | null>(null);
  const pair = pairs.find((each) => each.later.id === fileId) ?? pairs[0];
  const fileOf = (change: AskedChange) => shownIn(change, deliveries, later);
  const own = changes.filter((change) => fileOf(change) === pair?.later);
  const select = (id: string) => {
    const change = changes.find((change) => change.id === id);
    const file = change && fileOf(change);
    if (!file) return;
    // A file that is new since the earlier delivery is shown alone.
    if (added.includes(file)) return onOpen(file.id);
    setSelected(id);
    if (file.id !== pair?.later.id) onFile(file.id);
  };
  const walk = (by: 1 | -1) => {
    const shown = changes.filter((change) => pairs.some(({ later: file }) => file === fileOf(change)));
    const next = stepFrom(shown, selected, by);
    if (next) select(next.id);
  };
  useShortcut('n', 'Next change', () => walk(1));
  useShortcut('p', 'Change before', () => walk(-1));
  useShortcut('Escape', 'Close', () => (selected ? setSelected(null) : onClose()));
  return {
    pairs,
    added,
    dropped,
    pair,
    index: pair ? pairs.indexOf(pair) : 0,
    fileOf,
    selected,
    select,
    pins: pair ? pinsOfPair(own, pair, selected) : [],
  };
}
