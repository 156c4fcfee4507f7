/** Places of the files that were chosen on this page, by the id of the stored file. */
const places = new Map<string, number>();
let chosen = 0;

export const nextPlace = (): number => ++chosen;
export const keepPlace = (storedId: string, place: number) => void places.set(storedId, place);

/** Where a file joins a list: before those that were chosen after it. */
export function placeIn(ids: readonly string[], id: string): number {
  const place = places.get(id) ?? Infinity;
  const at = ids.findIndex((other) => (places.get(other) ?? -1) > place);
  return at === -1 ? ids.length : at;
}

export const withChosen = (ids: readonly string[], id: string): string[] => ids.toSpliced(placeIn(ids, id), 0, id);
