/**
 * The first field name that an object of this valid JSON repeats, with escapes read; null when none does. JSON.parse would
 * silently keep the last, so two readers of one request could see two requests. Iterative: depth costs no stack.
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
      const name = JSON.parse(json.slice(start, at + 1)) as string;
      if (names.has(name)) return name;
      names.add(name);
      nameComes = false;
    }
  }
  return null;
}
