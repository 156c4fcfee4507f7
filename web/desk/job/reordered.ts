/** The list with more items, each before the first one that has a higher rank. */
export function withRanked(
  list: readonly string[],
  added: readonly string[],
  ranks: ReadonlyMap<string, number>,
): string[] {
  return added.reduce(
    (all, item) => {
      const rank = ranks.get(item) ?? Infinity;
      const before = all.findIndex((other) => (ranks.get(other) ?? -1) > rank);
      return before === -1 ? [...all, item] : [...all.slice(0, before), item, ...all.slice(before)];
    },
    [...list],
  );
}

/** The list with this item at another place, within the list. */
export function reordered<Item>(list: readonly Item[], item: Item, to: number): Item[] {
  if (!list.includes(item)) return [...list];
  const others = list.filter((other) => other !== item);
  const place = Math.min(Math.max(to, 0), others.length);
  return [...others.slice(0, place), item, ...others.slice(place)];
}
