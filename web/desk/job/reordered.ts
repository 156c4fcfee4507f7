/** The list with this item at another place, within the list. */
export function reordered<Item>(list: readonly Item[], item: Item, to: number): Item[] {
  if (!list.includes(item)) return [...list];
  const others = list.filter((other) => other !== item);
  const place = Math.min(Math.max(to, 0), others.length);
  return [...others.slice(0, place), item, ...others.slice(place)];
}
