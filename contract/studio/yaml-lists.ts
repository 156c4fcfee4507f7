import { isSeq, type Node, type YAMLSeq } from 'yaml';
import { at, changed, parsed, type Path, valueOf, withValue } from './yaml-edits.ts';
import { columnOf, endOf, lineEnd, lineStart, splice, startOf } from './yaml-places.ts';
import { type Value, written } from './yaml-written.ts';

/** An item of a list: where it was before, or a new one; `source`: as it is written, with its comments. */
export type Item = number | { value: Value; source?: string | undefined };

/** With these items in the list at the path; they keep what stands beside and above them. */
export function withItems(text: string, path: Path, items: readonly Item[]): string | null {
  const before = at(valueOf(text), path);
  if (!Array.isArray(before)) return null;
  const value = items.map((item) => (typeof item === 'number' ? (before[item] ?? null) : item.value));
  return changed(text, path, value, (now, document) => putItems(now, document.getIn(path, true), items));
}

/** With these texts in a list; those that were there keep their comments. */
export function withTexts(text: string, path: Path, texts: string[], order: readonly string[] = []): string | null {
  const before = at(valueOf(text), path);
  if (!Array.isArray(before) || before.length === 0 || texts.length === 0)
    return withValue(text, path, texts.length === 0 ? undefined : texts, order);
  const used = new Set<number>();
  return withItems(
    text,
    path,
    texts.map((value): Item => {
      const same = before.findIndex((other, index) => other === value && !used.has(index));
      used.add(same);
      return same === -1 ? { value } : same;
    }),
  );
}

function placesIn(text: string, list: Path): Item[] {
  const items = at(valueOf(text), list);
  return Array.isArray(items) ? items.map((_, index) => index) : [];
}

/** With one more item, at this place or at the end; as it is written in `source`, if that can be. */
export function withItem(text: string, list: Path, index: number, value: Value, source?: string): string | null {
  const put = (item: Item) => withItems(text, list, placesIn(text, list).toSpliced(index, 0, item));
  return (source === undefined ? null : put({ value, source })) ?? put({ value });
}

export const without = (text: string, list: Path, index: number): string | null =>
  withItems(text, list, placesIn(text, list).toSpliced(index, 1));

function putItems(text: string, list: unknown, items: readonly Item[]): string | null {
  if (!isSeq(list) || !list.range || list.items.length === 0 || items.length === 0) return null;
  const { begin, end, pieces } = piecesOf(text, list);
  const dash = columnOf(text, list.range[0]);
  const parts = items.map((item) => {
    if (typeof item === 'number') return pieces[item] ?? '';
    if (item.source !== undefined) return item.source;
    return list.flow
      ? written(item.value, 0, true)
      : `${' '.repeat(dash)}- ${written(item.value, dash, false).trimStart()}`;
  });
  if (!list.flow) return splice(text, begin, end, parts.map((part) => part.replace(/\n?$/, '\n')).join(''));
  const last = endOf(list.items.at(-1));
  if (pieces.every((_, index) => items[index] === index))
    return splice(
      text,
      last,
      last,
      parts
        .slice(pieces.length)
        .map((part) => `, ${part}`)
        .join(''),
    );
  const between = pieces.reduce((rest, piece) => rest.replace(piece, ''), text.slice(begin, end));
  // A comment between brackets may belong to any item.
  return between.includes('#') ? null : splice(text, begin, end, `[${parts.join(', ')}]`);
}

/** Each item as it is written. In a list of lines the comments above an item belong to it. */
function piecesOf(text: string, list: YAMLSeq) {
  const [start = 0, after = 0] = list.range ?? [];
  if (list.flow)
    return {
      begin: start,
      end: after,
      pieces: list.items.map((item) => text.slice(startOf(item as Node), endOf(item))),
    };
  let begin = lineStart(text, start);
  while (begin > 0 && /^\s*(?:#.*)?$/.test(text.slice(lineStart(text, begin - 1), begin - 1)))
    begin = lineStart(text, begin - 1);
  let from = begin;
  const pieces = list.items.map((item) => {
    const piece = text.slice(from, lineEnd(text, Math.max(endOf(item), from, start)));
    from += piece.length;
    return piece;
  });
  return { begin, end: from, pieces };
}

/** An item of a list as it is written. */
export function sourceAt(text: string, path: Path, index: number): string | undefined {
  const list = parsed(text)?.getIn(path, true);
  return isSeq(list) ? piecesOf(text, list).pieces[index] : undefined;
}
