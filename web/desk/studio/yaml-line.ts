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
  const { value, end } = nodeAt(source, 0, false);
  if (value === undefined) return undefined;
  const rest = source.slice(end);
  const comment = rest.trim();
  return comment === '' || (comment.startsWith('#') && (end === 0 || rest.startsWith(' ')))
    ? { value, comment }
    : undefined;
}

type Node = { value: Value | undefined; end: number };
const unreadable: Node = { value: undefined, end: 0 };

function nodeAt(source: string, from: number, inFlow: boolean): Node {
  const start = skipSpaces(source, from);
  const sign = source[start] ?? '';
  if (sign === '[') return listFrom(source, start + 1);
  if (sign === '{') return mapFrom(source, start + 1);
  if (sign === '"' || sign === "'") return quotedFrom(source, start, sign);
  if (/^(?:[|>&*!@`%\]},]|[-?] )/.test(source.slice(start))) return unreadable;
  let end = start;
  while (end < source.length && !endsPlain(source, end, inFlow)) end++;
  const value = source.slice(start, end).trimEnd();
  if (value.includes(': ') || value.endsWith(':')) return unreadable;
  return { value: value === '~' || value === 'null' ? '' : value, end: start + value.length };
}

const endsPlain = (source: string, at: number, inFlow: boolean): boolean =>
  (source[at] === '#' && (at === 0 || source[at - 1] === ' ')) || (inFlow && /[,[\]{}]/.test(source[at] ?? ''));

function quotedFrom(source: string, start: number, sign: string): Node {
  let end = start + 1;
  while (end < source.length) {
    if (sign === '"' && source[end] === '\\') end++;
    else if (sign === "'" && source.startsWith("''", end)) end++;
    else if (source[end] === sign) break;
    end++;
  }
  const inside = source.slice(start + 1, end);
  if (source[end] !== sign) return unreadable;
  if (sign === "'") return { value: inside.replaceAll("''", "'"), end: end + 1 };
  try {
    return { value: JSON.parse(`"${inside}"`) as string, end: end + 1 };
  } catch {
    return unreadable;
  }
}

const skipSpaces = (source: string, from: number): number => {
  let at = from;
  while (source[at] === ' ') at++;
  return at;
};

function listFrom(source: string, from: number): Node {
  const items: string[] = [];
  for (let at = skipSpaces(source, from); ;) {
    if (source[at] === ']') return { value: items, end: at + 1 };
    const { value, end } = nodeAt(source, at, true);
    if (typeof value !== 'string' || end === at) return unreadable;
    items.push(value);
    at = afterComma(source, end, ']');
    if (at === -1) return unreadable;
  }
}

const flowKey = /^([A-Za-z_]\w{0,60}):(?= |$)/;

function mapFrom(source: string, from: number): Node {
  const map: { [key: string]: Value } = {};
  for (let at = skipSpaces(source, from); ;) {
    if (source[at] === '}') return { value: map, end: at + 1 };
    const key = flowKey.exec(source.slice(at));
    if (!key) return unreadable;
    const { value, end } = nodeAt(source, at + key[0].length, true);
    if (value === undefined || isMap(value)) return unreadable;
    map[key[1] ?? ''] = value;
    at = afterComma(source, Math.max(end, at + key[0].length), '}');
    if (at === -1) return unreadable;
  }
}

/** The next item, or the sign that ends them; -1 if neither follows. */
function afterComma(source: string, from: number, ending: string): number {
  const at = skipSpaces(source, from);
  if (source[at] === ',') return skipSpaces(source, at + 1);
  return source[at] === ending ? at : -1;
}
