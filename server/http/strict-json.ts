const [quote, escape, openList, openObject, closeList, closeObject, comma] = Buffer.from('"\\[{]},');

/** Checks the bytes up to the first excess: JSON.parse needs a second for a megabyte of brackets. */
export function tooMuch(json: Uint8Array, levels: number, values: number): 'deep' | 'many' | null {
  let depth = 0;
  let count = 1;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (inText) {
      if (sign === escape) at++;
      else if (sign === quote) inText = false;
    } else if (sign === quote) inText = true;
    else if (sign === openList || sign === openObject) {
      if (++depth > levels) return 'deep';
      if (++count > values) return 'many';
    } else if (sign === closeList || sign === closeObject) depth--;
    else if (sign === comma && ++count > values) return 'many';
  }
  return null;
}

/** JSON.parse keeps the last of repeated names, so two readers could see different requests. */
export function repeatedName(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '{' || sign === '[') {
      nameComes = sign === '{';
      open.push(nameComes ? new Set() : null);
    } else if (sign === '}' || sign === ']') {
      open.pop();
      nameComes = false;
    } else if (sign === ',') {
      nameComes = open.at(-1) instanceof Set;
    } else if (sign === '"') {
      const start = at++;
      while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
      const names = open.at(-1);
      if (!nameComes || !names) continue;
      const raw = json.slice(start, at + 1);
      const name = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (names.has(name)) return name;
      names.add(name);
      nameComes = false;
    }
  }
  return null;
}

/** Limits of a body. Our own need depth five and about a thousand values. */
export const deepest = 32;
export const mostValues = 10_000;

/** What a JSON text says that could be a body; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    if (tooMuch(Buffer.from(text), deepest, mostValues) !== null) return undefined;
    const value: unknown = JSON.parse(text, refusePrototype);
    return repeatedName(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__' || name === 'constructor') throw new SyntaxError(name);
  return value;
}
