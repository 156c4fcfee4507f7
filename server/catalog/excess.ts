import { Lexer } from 'yaml';
import { catalogVersionBounds } from '../../contract/desk/catalog-version-bounds.ts';

/** A catalog of the largest size has 70,000 parts. An error in each of 120,000 costs about two seconds. */
const most = {
  characters: catalogVersionBounds.text,
  lines: catalogVersionBounds.lines,
  parts: 120_000,
  levels: 32,
  aliases: 1_000,
};

/** Signs that the lexer adds. */
const added = '\x02\x18\x1f';

/** Where a text has more than the parser can take. The lexer only cuts it into parts, in linear time. */
export function excess(text: string): { offset: number; message: string } | null {
  if (text.length > most.characters) return { offset: 0, message: `has more than ${most.characters} characters` };
  const longest = endOfLine(text, most.lines);
  if (longest !== null) return { offset: longest, message: `has more than ${most.lines} lines` };
  let [offset, parts, aliases, brackets, marks] = [0, 0, 0, 0, 0];
  for (const part of new Lexer().lex(text)) {
    if (part === '[' || part === '{') brackets += 1;
    else if (part === ']' || part === '}') brackets = Math.max(0, brackets - 1);
    else if (part === '-' || part === '?' || (part === ':' && brackets === 0)) marks += 1;
    else if (part.endsWith('\n')) marks = 0;
    else if (part.startsWith('*')) aliases += 1;
    if (brackets + marks > most.levels) return { offset, message: `is nested deeper than ${most.levels} levels` };
    if (aliases > most.aliases) return { offset, message: `has more than ${most.aliases} aliases` };
    if ((parts += 1) > most.parts) return { offset, message: `has more than ${most.parts} words and marks` };
    if (!added.includes(part)) offset += part.length;
  }
  return null;
}

function endOfLine(text: string, line: number): number | null {
  let at = -1;
  for (let count = 0; count < line; count += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return null;
  }
  return at + 1 < text.length ? at + 1 : null;
}

/** Characters of the answer of `GET /api/v1/catalog`, in which each option has its requirements again. */
const largestView = 8_000_000;

/** Accepts anything, even a wrong shape. */
export function* viewFaults(families: unknown): Generator<{ path: (string | number)[]; message: string }> {
  let size = 0;
  for (const [i, family] of Array.isArray(families) ? families.entries() : []) {
    const options = Array.isArray(family?.options) ? family.options.length : 0;
    size += sizeOf(family) + options * sizeOf(family?.intake_requirements);
    if (size > largestView)
      return yield {
        path: ['families', i],
        message: `with the requirements of each option the catalog has more than ${largestView} characters`,
      };
  }
}

const sizeOf = (content: unknown) => JSON.stringify(content ?? null).length;
