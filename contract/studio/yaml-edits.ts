import { type Document, isAlias, isCollection, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Node, YAMLMap } from 'yaml';
import { columnOf, endOf, lineEnd, lineStart, splice, startOf } from './yaml-places.ts';
import { type Value, written } from './yaml-written.ts';

/**
 * Changes a YAML text at one path. Everything else stays as it is written: comments, order, quotes, spaces.
 * Each change is read again and compared with what it should mean; one that cannot be made is null.
 */
export type Path = readonly (string | number)[];
const options = { uniqueKeys: false, resolveKnownTags: false, prettyErrors: false };

export function parsed(text: string): Document.Parsed | null {
  const document = parseDocument(text, options);
  return document.errors.length > 0 ? null : document;
}

/** The last texts, of which forms ask for many fields. */
const read = new Map<string, Value | undefined>();

/** What the text says; undefined if it is no YAML. Not to be changed. */
export function valueOf(text: string): Value | undefined {
  if (read.size > 8) read.clear();
  if (!read.has(text)) read.set(text, readAnew(text));
  return read.get(text);
}

function readAnew(text: string): Value | undefined {
  try {
    return parsed(text)?.toJS({ maxAliasCount: 1_000 }) as Value | undefined;
  } catch {
    return undefined;
  }
}

export const at = (content: Value | undefined, path: Path): Value | undefined =>
  path.reduce<Value | undefined>(
    (part, key) => (typeof part === 'object' && part !== null ? (part as Record<string, Value>)[key] : undefined),
    content,
  );

/** With this value; undefined removes the key. `order`: keys that stand before and after a new one. */
export const withValue = (
  text: string,
  path: Path,
  value: Value | undefined,
  order: readonly string[] = [],
): string | null => changed(text, path, value, (now, document) => putValue(now, document, path, value, order));

type Put = (text: string, document: Document.Parsed) => string | null;

/** With what `put` makes of it, if that means this value at the path and nothing else. */
export function changed(text: string, path: Path, value: Value | undefined, put: Put): string | null {
  const before = valueOf(text);
  if (before === undefined) return null;
  const expected = JSON.stringify(withIn(before, path, value));
  const result = (from: string) => {
    const document = parsed(from);
    const next = document && put(from, document);
    return typeof next === 'string' && JSON.stringify(sorted(valueOf(next))) === expected ? next : null;
  };
  return result(text) ?? result(withoutAliases(text, path));
}

/** Keys in any order mean the same. */
const sorted = (content: Value | undefined): Value | undefined => {
  if (Array.isArray(content)) return content.map((item) => sorted(item) ?? null);
  if (typeof content !== 'object' || content === null) return content;
  const keys = Object.keys(content).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(content[key]) ?? null]));
};

function withIn(content: Value, path: Path, value: Value | undefined): Value | undefined {
  const copy = structuredClone(content);
  const parent = at(copy, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (typeof parent === 'object' && parent !== null) {
    if (value === undefined) delete (parent as Record<string, Value>)[key];
    else (parent as Record<string, Value>)[key] = value;
  }
  return sorted(copy);
}

/** A value that an anchor shares with other places is written out there, so that only one place changes. */
function withoutAliases(text: string, path: Path): string {
  const document = parsed(text);
  if (!document) return text;
  const anchors = new Set<string>();
  let node: unknown = document.contents;
  for (const key of [...path, '']) {
    if (isAlias(node)) anchors.add(node.source);
    if (isAlias(node)) node = node.resolve(document);
    if (isNode(node) && 'anchor' in node && node.anchor) anchors.add(node.anchor);
    node = isCollection(node) ? node.get(key, true) : undefined;
  }
  const places: { range: [number, number]; value: Value }[] = [];
  visit(document, {
    Alias(_, alias) {
      if (anchors.has(alias.source) && alias.range)
        places.push({ range: [alias.range[0], alias.range[1]], value: alias.toJS(document) as Value });
    },
  });
  return places
    .toReversed()
    .reduce((now, { range, value }) => splice(now, range[0], range[1], written(value, 0, true)), text);
}

function putValue(text: string, document: Document, path: Path, value: Value | undefined, order: readonly string[]) {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return null;
  const index = parent.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  const pair = parent.items[index];
  if (!pair) return value === undefined ? text : addPair(text, parent, String(path.at(-1)), value, order);
  if (value === undefined) return removePair(text, parent, index);
  const { value: old } = pair;
  if (!isNode(old) || !old.range) return null;
  const [start, end] = [old.range[0], endOf(old)];
  // An empty text has quotes because it needs them.
  const type = isScalar(old) && old.value !== '' ? old.type : undefined;
  const put = written(value, columnOf(text, startOf(pair.key as Node)), parent.flow === true, type);
  if (put.startsWith('\n')) return splice(text, text.slice(0, start).trimEnd().length, end, put);
  const before = /\s/.test(text[start - 1] ?? '') ? '' : ' ';
  const after = end > start && text[end - 1] === '\n' ? '\n' : text[end] === '#' ? ' ' : '';
  return splice(text, start, end, `${before}${put}${after}`);
}

function addPair(text: string, map: YAMLMap, key: string, value: Value, order: readonly string[]): string | null {
  const earlier = order.slice(0, Math.max(0, order.indexOf(key)));
  const after =
    map.items.findLast(({ key: other }) => isScalar(other) && earlier.includes(String(other.value))) ??
    map.items.at(earlier.length > 0 ? 0 : -1);
  if (!after) return null;
  const end = Math.max(endOf(after.key), endOf(after.value));
  if (map.flow) return splice(text, end, end, `, ${key}: ${written(value, 0, true)}`);
  const indent = columnOf(text, startOf(map.items[0]?.key as Node));
  const line = lineEnd(text, end);
  const broken = text[line - 1] === '\n' ? '' : '\n';
  return splice(text, line, line, `${broken}${' '.repeat(indent)}${key}:${spaced(written(value, indent, false))}\n`);
}

const spaced = (put: string) => (put.startsWith('\n') ? put : ` ${put}`);

function removePair(text: string, map: YAMLMap, index: number): string | null {
  const pair = map.items[index];
  const [key, next] = [startOf(pair?.key as Node), map.items[index + 1]?.key as Node | undefined];
  if (map.items.length === 1) return null;
  const isFirst = text.slice(lineStart(text, key), key).trim() !== '';
  if (next && (map.flow || isFirst)) return splice(text, key, startOf(next), '');
  const end = Math.max(endOf(pair?.key), endOf(pair?.value));
  if (!map.flow) return splice(text, lineStart(text, key), lineEnd(text, end), '');
  const before = map.items[index - 1];
  return splice(text, Math.max(endOf(before?.key), endOf(before?.value)), end, '');
}
