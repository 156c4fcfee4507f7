import { useState } from 'react';

export type Marked = { ids: readonly string[]; last: string | null };

export const noneMarked: Marked = { ids: [], last: null };

export const toggled = ({ ids }: Marked, id: string): Marked => ({
  ids: ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id],
  last: id,
});

/** From the row that was toggled last to this one. Without one of them in the list, this row alone. */
export function markedTo({ ids, last }: Marked, id: string, order: readonly string[]): Marked {
  const [from, to] = [order.indexOf(last ?? ''), order.indexOf(id)].toSorted((a, b) => a - b);
  const range = from === undefined || from < 0 || to === undefined ? [id] : order.slice(from, to + 1);
  return { ids: [...new Set([...ids, ...range])], last: id };
}

/** Marked rows of the list of this scope, without those that are not present any more. */
export function useMarks(scope: string, present: readonly string[]) {
  const [state, setState] = useState({ scope, marked: noneMarked });
  const marked = state.scope === scope ? state.marked : noneMarked;
  const set = (next: Marked) => setState({ scope, marked: next });
  return {
    ids: present.filter((id) => marked.ids.includes(id)),
    /** `toHere` marks all from the last one, in the order of the list. */
    mark: (id: string, toHere: boolean, order: readonly string[]) =>
      set(toHere ? markedTo(marked, id, order) : toggled(marked, id)),
    clear: () => set(noneMarked),
    unmark: (gone: readonly string[]) =>
      setState((now) => ({
        ...now,
        marked: { ...now.marked, ids: now.marked.ids.filter((id) => !gone.includes(id)) },
      })),
  };
}
