import { isMap, parse, shown, type Value } from './yaml-line.ts';

/**
 * Reads and changes single fields of `studio.yaml` in its text, so that comments and unknown fields stay.
 * Understands values on one line, maps of one level and lists. For anything else it returns undefined, and
 * the form leaves it alone.
 */
type Entry = { key: string; start: number; end: number; inline: string };
export type Path = readonly [field: string, part?: string];

const keyLine = /^ *([A-Za-z_]\w{0,60}):(?: +([^\n]*))?$/;
const isContent = (line: string) => !/^ *(#|\r?$)/.test(line) && line !== '---';
const indentOf = (line: string) => line.length - line.trimStart().length;

/** The fields of a map, each with the lines below it. */
function entriesOf(lines: readonly string[], from: number, to: number): Entry[] | undefined {
  const entries: Entry[] = [];
  let indent = -1;
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? '';
    if (indent === -1 && isContent(line)) indent = indentOf(line);
    const last = entries.at(-1);
    const key = isContent(line) && indentOf(line) === indent ? keyLine.exec(line.trimEnd()) : null;
    if (key) entries.push({ key: key[1] ?? '', start: at, end: at + 1, inline: key[2] ?? '' });
    else if (last && (indentOf(line) > indent || isItem(line))) last.end = at + 1;
    else if (isContent(line)) return undefined;
  }
  return entries;
}

const isItem = (line: string) => /^ *-( |\r?$)/.test(line);

/** Where a field is; undefined if it cannot be told. */
function placeOf(text: string, [field, part]: Path) {
  const lines = text.split('\n');
  const entries = entriesOf(lines, 0, lines.length);
  if (!entries) return undefined;
  const top = entries.find(({ key }) => key === field);
  if (!top || part === undefined) return { lines, top };
  const inline = parse(top.inline);
  if (isMap(inline?.value)) return { lines, top, flow: inline.value };
  const below = inline?.value === '' ? entriesOf(lines, top.start + 1, top.end) : undefined;
  return below && { lines, top, below: below.find(({ key }) => key === part) };
}

/** The value of a field: empty if it is not set, undefined if the form cannot read it. */
function valueAt(text: string, path: Path): Value | undefined {
  const place = placeOf(text, path);
  if (!place) return undefined;
  if (isMap(place.flow)) return place.flow[path[1] ?? ''] ?? '';
  const entry = path[1] === undefined ? place.top : place.below;
  return entry ? entryValue(place.lines, entry) : '';
}

function entryValue(lines: readonly string[], entry: Entry): Value | undefined {
  const body = lines.slice(entry.start + 1, entry.end).filter(isContent);
  const inline = parse(entry.inline);
  if (!inline || body.length === 0) return inline?.value;
  if (inline.value !== '' || !body.every(isItem)) return undefined;
  const items = body.map(itemOf);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function itemOf(line: string): string | undefined {
  const value = parse(line.trim().slice(1).trim())?.value;
  return typeof value === 'string' ? value : undefined;
}

export function textAt(text: string, ...path: Path): string | undefined {
  const value = valueAt(text, path);
  return typeof value === 'string' ? value : undefined;
}

export function listAt(text: string, ...path: Path): string[] | undefined {
  const value = valueAt(text, path);
  if (value === '') return [];
  return Array.isArray(value) ? value : undefined;
}

/** The text with this field; an empty value removes it. */
export const withText = (text: string, path: Path, value: string): string =>
  changed(text, path, value === '' ? null : value);

export const withList = (text: string, path: Path, values: string[]): string =>
  changed(text, path, values.length === 0 ? null : values);

function changed(text: string, [field, part]: Path, value: string | string[] | null): string {
  const place = placeOf(text, [field, part]);
  if (!place) return text;
  const { lines, top, below, flow } = place;
  const put = ({ start, end }: Entry, to: string[]) => lines.toSpliced(start, end - start, ...to).join('\n');
  if (!top) {
    if (value === null) return text;
    return appended(lines, part === undefined ? [lineOf('', field, value)] : [`${field}:`, lineOf('  ', part, value)]);
  }
  if (part === undefined) return put(top, linesOf(lines, top, value));
  if (isMap(flow)) {
    const { [part]: _, ...others } = flow;
    const map = value === null ? others : { ...flow, [part]: value };
    return put(top, Object.keys(map).length === 0 ? [] : [lineOf('', field, map, commentOf(top))]);
  }
  const siblings = entriesOf(lines, top.start + 1, top.end) ?? [];
  if (value === null && siblings.every(({ key }) => key === part)) return put(top, []);
  if (below) return put(below, linesOf(lines, below, value));
  if (value === null) return text;
  const indent = indentOf(lines[siblings[0]?.start ?? -1] ?? '') || 2;
  const line = lineOf(' '.repeat(indent), part, value);
  return top.end === lines.length ? appended(lines, [line]) : lines.toSpliced(top.end, 0, line).join('\n');
}

/** A list with an item in each line keeps the comments of those that stay. */
function linesOf(lines: readonly string[], entry: Entry, value: string | string[] | null): string[] {
  if (value === null) return [];
  const start = lines[entry.start] ?? '';
  const whole = [lineOf(' '.repeat(indentOf(start)), entry.key, value, commentOf(entry))];
  const body = lines.slice(entry.start + 1, entry.end);
  const first = body.find(isItem);
  if (!first || !Array.isArray(value)) return whole;
  const stay = body.filter((line) => !isItem(line) || value.includes(itemOf(line) ?? ''));
  const remaining = stay.filter(isItem).map(itemOf);
  if (remaining.some((item, at) => item !== value[at])) return whole;
  const added = value.slice(remaining.length).map((item) => `${' '.repeat(indentOf(first))}- ${shown(item, false)}`);
  return [start, ...stay, ...added];
}

function appended(lines: readonly string[], added: string[]): string {
  const text = lines.join('\n').trimEnd();
  return `${text === '' ? '' : `${text}\n`}${added.join('\n')}\n`;
}

const commentOf = ({ inline }: Entry) => parse(inline)?.comment ?? '';

const lineOf = (indent: string, key: string, value: Value, comment = ''): string =>
  `${indent}${key}: ${shown(value, false)}${comment === '' ? '' : ` ${comment}`}`;
