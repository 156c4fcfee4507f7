/** What the form can read and write on one line. */
export type Value = string | string[] | { [key: string]: Value };

export const isMap = (value: Value | undefined): value is { [key: string]: Value } =>
  typeof value === 'object' && !Array.isArray(value);

export function shown(value: Value, inFlow: boolean): string {
  if (typeof value === 'string') return scalar(value, inFlow);
  if (Array.isArray(value)) return `[${value.map((item) => scalar(item, true)).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${key}: ${shown(part, true)}`)
    .join(', ')} }`;
}

const plainText = /^\p{L}[\p{L}\p{N} ._/@&+()'–-]*$/u;
const plainLink = /^https:\/\/[\w./~%=?&+-]+$/;
const plainDay = /^\d{4}-\d\d-\d\d$/;
const otherTypes = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Without quotes only where no reader of YAML takes it for something else. */
function scalar(value: string, inFlow: boolean): string {
  const isPlain =
    (plainText.test(value) && value === value.trim() && !otherTypes.test(value)) ||
    plainDay.test(value) ||
    (!inFlow && plainLink.test(value));
  return isPlain ? value : JSON.stringify(value);
}

/** The value on the rest of a line, and its comment. */
export function parse(line: string): { value: Value; comment: string } | undefined {
  const source = line.trim();
  const { value, rest } = nodeOf(source, false);
  const comment = rest.trim();
  const isComment = comment === '' || (comment.startsWith('#') && (rest === source || rest.startsWith(' ')));
  return value !== undefined && isComment ? { value, comment } : undefined;
}

/** What a text begins with, and what is left of it. */
type Node = { value: Value | undefined; rest: string };

const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/;
/** A `#` after a space begins a comment. */
const plain = { line: /^(?:[^#]|(?<=[^ ])#)*/, flow: /^(?:[^#,[\]{}]|(?<=[^ ])#)*/ };

function nodeOf(source: string, inFlow: boolean): Node {
  const text = source.trimStart();
  if (text.startsWith('[')) return listOf(text.slice(1));
  if (text.startsWith('{')) return mapOf(text.slice(1));
  const quote = quoted.exec(text)?.[0];
  if (quote !== undefined) return { value: unquoted(quote), rest: text.slice(quote.length) };
  const value = plain[inFlow ? 'flow' : 'line'].exec(text)?.[0].trimEnd() ?? '';
  const rest = text.slice(value.length);
  const isOther = /^(?:["'|>&*!@`%\]},]|[-?] )/.test(text) || value.includes(': ') || value.endsWith(':');
  if (isOther) return { value: undefined, rest };
  return { value: value === '~' || value === 'null' ? '' : value, rest };
}

function unquoted(quote: string): string | undefined {
  if (quote.startsWith("'")) return quote.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(quote) as string;
  } catch {
    return undefined;
  }
}

function listOf(source: string): Node {
  const items: string[] = [];
  return fill(source, ']', items, (item) => {
    const { value, rest } = nodeOf(item, true);
    if (typeof value !== 'string' || rest === item) return undefined;
    items.push(value);
    return rest;
  });
}

const flowKey = /^([A-Za-z_]\w{0,60}):(?= |$)/;

function mapOf(source: string): Node {
  const map: { [key: string]: Value } = {};
  return fill(source, '}', map, (item) => {
    const [start, key] = flowKey.exec(item) ?? [];
    const { value, rest } = nodeOf(item.slice(start?.length), true);
    if (key === undefined || value === undefined || isMap(value)) return undefined;
    map[key] = value;
    return rest;
  });
}

/** Fills a list or map by `take`, which returns what follows an item, or undefined if it cannot read it. */
function fill(source: string, end: string, value: Value, take: (item: string) => string | undefined): Node {
  let rest = source.trimStart();
  while (!rest.startsWith(end)) {
    const next = take(rest)?.trimStart();
    if (!next?.startsWith(',') && !next?.startsWith(end)) return { value: undefined, rest };
    rest = next.replace(/^, */, '');
  }
  return { value, rest: rest.slice(1) };
}
