export type StudioAddress = 'part' | 'file' | 'version' | 'view' | 'service';

/** A place in a file, where the caret goes. Counted from 1. `path`: the field there, if it is known. */
export type Spot = { file: string; line: number; column: number; path?: string | null };

/** The field of a form at a path such as `/hours/mon/0`, else the one that it is in, else one in it. */
export function focusField(path: string): boolean {
  const parts = path.slice(1).split('/');
  const selectors = [
    ...parts.map((_, at) => `[data-field="${parts.slice(0, parts.length - at).join('/')}"]`),
    `[data-field^="${parts.join('/')}/"]`,
  ];
  for (const selector of selectors) {
    const field = document.querySelector<HTMLElement>(selector);
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
