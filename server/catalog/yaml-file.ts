import type { Static, TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Errors } from 'typebox/value';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { emailPattern } from '../../contract/typed.ts';
import { dayOff, extension, firstBytes, hexColor, mediaType, pictureName, span, webAddress } from './catalog-file.ts';
import { type Documents, ofFile, placeOf } from './documents.ts';
import { excess } from './excess.ts';

export type Path = (string | number)[];
/** `lacks`: the field that is not there, below the path. */
export type Fault = { path: Path; message: string; lacks?: string };
type Checks = (content: unknown) => Iterable<Fault>;
type Mistake = { offset: number; message: string; path?: Path; reason?: string };
/** `raw`: whatever the text says, also if it has problems; undefined if it cannot be read. */
type Read<Content> = ({ content: Content; problems: [] } | { content: null; problems: Problem[] }) & { raw: unknown };

/** The most problems of the shape, and the most that the checks report. */
const mostFaults = 1_000;
const longestMessage = 500;

/** The content of a YAML file, or every problem in it with its place. */
export function readYaml<S extends TSchema>(
  documents: Documents,
  file: string,
  schema: S,
  checks: Checks,
): Read<Static<S>> {
  const text = documents.get(file)?.toString('utf8');
  const unreadable = (...problems: Problem[]) => ({ content: null, problems, raw: undefined });
  if (text === undefined) return unreadable(ofFile(file, 'cannot be read: the file is missing'));
  const tooMuch = excess(text);
  if (tooMuch) return unreadable({ ...ofFile(file, tooMuch.message), ...placeOf(text, tooMuch.offset) });
  const lineCounter = new LineCounter();
  const at = ({ offset, message, path, reason = message }: Mistake): Problem => {
    const { line, col: column } = lineCounter.linePos(offset);
    return {
      file,
      line,
      column,
      message: message.slice(0, longestMessage),
      path: path ? pointerOf(path) : null,
      reason: reason.slice(0, longestMessage),
    };
  };
  let document: Document;
  let content: unknown;
  try {
    document = parseDocument(text, { ...linear, lineCounter, prettyErrors: false });
    const broken = [
      ...[...document.errors, ...document.warnings].map(({ pos, message }) => ({ offset: pos[0], message })),
      ...keyMistakes(document),
    ].toSorted((a, b) => a.offset - b.offset);
    if (broken.length > 0) return unreadable(...broken.slice(0, mostFaults).map(at));
    content = document.toJS();
  } catch (error) {
    const message = error instanceof RangeError ? 'is nested too deeply' : (error as Error).message;
    return unreadable({ ...ofFile(file, message), line: 1, column: 1 }); // such as too many aliases
  }
  const problems = [...shapeFaults(schema, content), ...Iterator.from(checks(content)).take(mostFaults)]
    .map(({ path, message, lacks }) => ({
      offset: offsetOf(document, path),
      message: show(path) + message,
      path: lacks === undefined ? path : [...path, lacks],
      reason: lacks === undefined ? message : 'is missing',
    }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(at);
  if (problems.length > 0) return { content: null, problems, raw: content };
  return { content: content as Static<S>, problems: [], raw: content };
}

/** The library compares each key of a map and each member of a set with all others. */
const linear = { uniqueKeys: false, resolveKnownTags: false };

/** Keys that are repeated, or no words: the library would write a map as text to make it a key. */
function keyMistakes(document: Document): Mistake[] {
  const mistakes: Mistake[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        if (!isScalar(key)) mistakes.push({ offset, message: 'A map key must be a word' });
        else if (seen.has(key.value)) mistakes.push({ offset, message: 'Map keys must be unique' });
        else seen.add(key.value);
      }
    },
  });
  return mistakes;
}

const messages: Record<string, string> = {
  boolean: 'is not a known field',
  minItems: 'needs at least one entry',
  '^[a-z][a-z0-9_]{0,49}$': 'must be at most 50 lower case letters, digits and "_", beginning with a letter',
  '^[a-z]{3}$': 'must be three lower case letters',
  [mediaType]: 'must be a media type in lower case without parameters, such as image/tiff',
  [extension]: 'must be 1 to 10 lower case letters and digits, without a dot',
  [span]: 'must be a span of a day such as 09:00-12:30, at most until 24:00',
  [pictureName]: 'must be the name of a .svg or .png file beside this one',
  [hexColor]: 'must be a color such as "#0b6b5d", in quotes',
  [webAddress]: 'must be an address that begins with https://',
  [emailPattern]: 'must be an e-mail address',
  [dayOff]: 'must be a day such as 2026-12-25',
  [firstBytes]: 'must be 1 to 32 bytes in hexadecimal with spaces between them, such as 4f 54 ?? 4f',
};

function shapeFaults(schema: TSchema, content: unknown): Fault[] {
  // TypeBox stops at 8 errors, but the operator should see all of them at once.
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: mostFaults });
  try {
    return Errors(schema, content).flatMap(({ keyword, instancePath, message, params }) => {
      const path = instancePath.split('/').slice(1).map(unescape);
      if (keyword === 'additionalProperties') return []; // each unknown field is reported on its own
      if (keyword === 'required')
        return params.requiredProperties.map((name) => ({ path, message: `lacks "${name}"`, lacks: name }));
      if (keyword === 'pattern') {
        const pattern = String(params.pattern);
        return {
          path,
          message: messages[pattern] ?? 'must be one line of text without marks that do not belong there',
        };
      }
      if (keyword === 'enum') return { path, message: `must be one of ${params.allowedValues.join(', ')}` };
      return { path, message: messages[keyword] ?? message };
    });
  } finally {
    Settings.Set({ maxErrors });
  }
}

const pointerOf = (path: Path) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const unescape = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');

const show = (path: Path) =>
  path.length === 0
    ? ''
    : `${path
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
        .join('')
        .slice(1)}: `;

/** The position of a path in the file: its key, else its value, else its parent. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const parent = length > 0 ? document.getIn(path.slice(0, length - 1), true) : null;
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path[length - 1]);
    const node = pair ? pair.key : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
