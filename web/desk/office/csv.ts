/** A spreadsheet would run a cell that begins like this. */
const formula = /^[=+\-@\t\r]/;

/** RFC 4180. Empty for null. */
export const csv = (rows: (string | null | undefined)[][]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(cell ?? '')).join(',')}\r\n`).join('');

const quoted = (cell: string) => `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
