const [quote, escape, openList, openObject, closeList, closeObject, comma] = Buffer.from('"\\[{]},');

/**
 * Why JSON is not worth parsing: nested deeper than `levels`, or more than `values` values. Counts on the
 * bytes and stops at the first excess, because JSON.parse needs a second for a megabyte of brackets.
 */
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

/**
 * The first field name repeated in an object of this valid JSON, with escapes decoded; null if none.
 * JSON.parse keeps the last value silently, so two readers could see two requests. Iterative, so depth costs
 * no stack.
 */
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
