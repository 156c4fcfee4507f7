export type StudioAddress = 'part' | 'file' | 'version';

/** A place in a file, where the caret goes. Counted from 1. */
export type Spot = { file: string; line: number; column: number };

/** The spot as an offset in the text, and the end of its line. */
export function rangeOf(text: string, { line, column }: Spot): [from: number, to: number] {
  const lines = text.split('\n');
  const at = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0);
  const { length } = lines[at] ?? '';
  return [start + Math.min(column - 1, length), start + length];
}
