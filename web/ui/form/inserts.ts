/** A saved text that a field offers. */
export type Insert = { id: string; name: string; text: string };

/** Where the list was opened, and how far the typed filter goes. With `slash`, the filter begins after it. */
export type Query = { from: number; to: number; slash: boolean };

const longest = 60;

/** The query after a change of the text: `/` as its first character opens one. */
export function queryAfter(text: string, caret: number, open: Query | null): Query | null {
  if (text.slice(0, caret) === '/') return { from: 0, to: 1, slash: true };
  if (open === null || (open.slash && !text.startsWith('/'))) return null;
  const filter = text.slice(open.from, caret);
  if (caret < open.from || filter.includes('\n') || filter.length > longest) return null;
  return { ...open, to: caret };
}

const filterOf = (text: string, { from, to, slash }: Query) => text.slice(slash ? from + 1 : from, to);

/** Those whose names have all words of the filter. */
export function matching(items: readonly Insert[], text: string, query: Query): Insert[] {
  const words = filterOf(text, query).toLowerCase().split(/\s+/);
  return items.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** The text with the insert in the place of the query. */
export const inserted = (text: string, { from, to }: Query, insert: Insert): string =>
  text.slice(0, from) + insert.text + text.slice(to);
