import { isCollection, isNode, type Node, type Pair } from 'yaml';

export const splice = (text: string, from: number, to: number, put: string) =>
  text.slice(0, from) + put + text.slice(to);

/** The end of the line, with its break. */
export function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
export const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
export const columnOf = (text: string, offset: number) => offset - lineStart(text, offset);
export const startOf = (node: Node) => node.range?.[0] ?? 0;

/** Without comments after it. */
export function endOf(node: unknown): number {
  if (isCollection(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1) as Node | Pair;
    return isNode(last) ? endOf(last) : Math.max(endOf(last.key), endOf(last.value));
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}
