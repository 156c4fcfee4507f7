/** Lines of a text that are shown as row, with their numbers from 1. */
export type Row = { from: number; to: number };

/** Texts with more characters are not set. Lines of this length make an article. */
const mostCharacters = 262_144;
const longLine = 120;

/** Whether a text of this type can be set, and whether it is at first. */
export function settingOf(type: string, lines: string[]): 'first' | 'possible' | null {
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  if (size > mostCharacters || type === 'application/json' || type === 'text/csv') return null;
  return type === 'text/markdown' || lines.some((line) => line.length > longLine) ? 'first' : 'possible';
}

/** The line that a key leads to from a row; null for other keys. `page`: rows that fit into the window. */
export function lineAfter(key: string, { from, to }: Row, last: number, page: number): number | null {
  const line = { ArrowUp: from - 1, ArrowDown: to + 1, PageUp: from - page, PageDown: to + page, Home: 1, End: last }[
    key
  ];
  return line === undefined ? null : Math.min(Math.max(line, 1), last);
}

export const join = (row: Row, other: Row): Row => ({
  from: Math.min(row.from, other.from),
  to: Math.max(row.to, other.to),
});

export const meets = (row: Row, other: Row): boolean => row.from <= other.to && other.from <= row.to;
