/** How many letters must change, be added, be left out or be swapped to make one word of the other. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let at = 1; at <= b.length; at++) {
      const changed = (last![at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      const swapped = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1] ? (before![at - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((last![at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, changed, swapped));
    }
    [before, last] = [last!, next];
  }
  return last![b.length] ?? 0;
}

/** "Did you mean create?" for a word that is close to one of these, with what else to do. */
export function suggest(word: string, words: string[], otherwise: string): string {
  let nearest = { name: '', far: Infinity };
  for (const name of words) {
    const far = distance(word.toLowerCase(), name.toLowerCase());
    if (far <= Math.max(1, Math.floor(name.length / 3)) && far < nearest.far) nearest = { name, far };
  }
  return nearest.name ? `Did you mean ${nearest.name}? ${otherwise}` : otherwise;
}
