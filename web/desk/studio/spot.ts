export type StudioAddress = 'part' | 'file' | 'version' | 'view' | 'service';

/** A place in a file, where the caret goes. Counted from 1. `path`: the field there, if it is known. */
export type Spot = { file: string; line: number; column: number; path?: string | null };

/** The field of a form at a path such as `/hours/mon/0`, or the one that it is in. */
export function focusField(path: string): boolean {
  for (let at = path.slice(1); at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const field = document.querySelector<HTMLElement>(`[data-field="${at}"]`);
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
    if (field) return true;
  }
  return false;
}

/** The spot as an offset in the text, and the end of its line. */
export function rangeOf(text: string, { line, column }: Spot): [from: number, to: number] {
  const lines = text.split('\n');
  const at = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0);
  const { length } = lines[at] ?? '';
  return [start + Math.min(column - 1, length), start + length];
}
