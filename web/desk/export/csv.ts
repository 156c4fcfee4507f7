/** A spreadsheet would run a cell that begins like this. */
const formula = /^[=+\-@\t\r]/;

export type Cell = string | number | boolean | null | undefined;

/** RFC 4180. Empty for null. */
export const csv = (rows: Cell[][]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`).join('');

const quoted = (cell: string) => `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;

/** Tells a spreadsheet that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';
