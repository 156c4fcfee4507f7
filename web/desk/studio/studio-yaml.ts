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

type Place = { lines: string[]; top: Entry | undefined; below: Entry | undefined; flow: Value | undefined };

/** Where a field is; undefined if it cannot be told. */
function placeOf(text: string, [field, part]: Path): Place | undefined {
  const lines = text.split('\n');
  const top = entriesOf(lines, 0, lines.length);
  if (!top) return undefined;
  const entry = top.find(({ key }) => key === field);
  if (!entry || part === undefined) return { lines, top: entry, below: undefined, flow: undefined };
  const inline = parse(entry.inline);
  if (!inline) return undefined;
  if (inline.value !== '')
    return isMap(inline.value) ? { lines, top: entry, below: undefined, flow: inline.value } : undefined;
  const below = entriesOf(lines, entry.start + 1, entry.end);
  return below && { lines, top: entry, below: below.find(({ key }) => key === part), flow: undefined };
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
  const items = body.map((line) => itemOf(line));
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

function changed(text: string, path: Path, value: string | string[] | null): string {
  const place = placeOf(text, path);
  if (!place) return text;
  const { lines, top, below, flow } = place;
  const [field, part] = path;
  if (part === undefined) return replaced(lines, top, { from: lines.length, indent: '' }, field, value);
  if (isMap(flow) && top) {
    const { [part]: _, ...others } = flow;
    const map = value === null ? others : { ...flow, [part]: value };
    if (Object.keys(map).length === 0) return replaced(lines, top, { from: 0, indent: '' }, field, null);
    lines.splice(top.start, top.end - top.start, lineOf('', field, map, commentOf(top)));
    return lines.join('\n');
  }
  if (!top) return value === null ? text : appended(lines, [`${field}:`, lineOf('  ', part, value, '')]);
  const siblings = entriesOf(lines, top.start + 1, top.end) ?? [];
  if (value === null && siblings.every(({ key }) => key === part))
    return replaced(lines, top, { from: 0, indent: '' }, field, null);
  const first = lines[siblings[0]?.start ?? -1] ?? '  ';
  const indent = ' '.repeat(indentOf(first) || 2);
  return replaced(lines, below, { from: top.end, indent }, part, value);
}

type Gap = { from: number; indent: string };

function replaced(lines: string[], entry: Entry | undefined, gap: Gap, key: string, value: Value | null): string {
  if (!entry) {
    if (value === null) return lines.join('\n');
    const line = lineOf(gap.indent, key, value, '');
    if (gap.from === lines.length) return appended(lines, [line]);
    return lines.toSpliced(gap.from, 0, line).join('\n');
  }
  const indent = ' '.repeat(indentOf(lines[entry.start] ?? ''));
  const items = Array.isArray(value) ? itemLines(lines, entry, value) : null;
  const line = value === null ? [] : [lineOf(indent, key, value, commentOf(entry))];
  return lines.toSpliced(entry.start, entry.end - entry.start, ...(items ?? line)).join('\n');
}

/** A list with an item in each line keeps the comments of those that stay. */
function itemLines(lines: readonly string[], entry: Entry, values: string[]): string[] | null {
  const body = lines.slice(entry.start + 1, entry.end);
  const first = body.find(isItem);
  if (!first) return null;
  const stay = body.filter((line) => !isItem(line) || values.includes(itemOf(line) ?? ''));
  const remaining = stay.filter(isItem).map(itemOf);
  if (remaining.some((value, at) => value !== values[at])) return null;
  const added = values.slice(remaining.length).map((value) => `${' '.repeat(indentOf(first))}- ${shown(value, false)}`);
  return [lines[entry.start] ?? '', ...stay, ...added];
}

function appended(lines: readonly string[], added: string[]): string {
  const text = lines.join('\n').trimEnd();
  return `${text === '' ? '' : `${text}\n`}${added.join('\n')}\n`;
}

const commentOf = ({ inline }: Entry) => parse(inline)?.comment ?? '';

const lineOf = (indent: string, key: string, value: Value, comment: string): string =>
  `${indent}${key}: ${shown(value, false)}${comment === '' ? '' : ` ${comment}`}`;
