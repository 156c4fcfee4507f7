import type { Static, TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Errors } from 'typebox/value';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { CatalogProblem as Problem } from '../../contract/catalog-versions.ts';
import { emailPattern } from '../../contract/shapes.ts';
import { dayOff, extension, firstBytes, hexColor, mediaType, pictureName, span, webAddress } from './catalog-file.ts';
import { type Documents, ofFile } from './documents.ts';

export type Path = (string | number)[];
export type Fault = { path: Path; message: string };
type Checks = (content: unknown) => Iterable<Fault>;

/** The content of a YAML file, or every problem in it with its place. */
export function readYaml<S extends TSchema>(
  documents: Documents,
  file: string,
  schema: S,
  checks: Checks,
): { content: Static<S>; problems: [] } | { content: null; problems: Problem[] } {
  const text = documents.get(file)?.toString('utf8');
  if (text === undefined) return { content: null, problems: [ofFile(file, 'cannot be read: the file is missing')] };
  const lineCounter = new LineCounter();
  const at = (offset: number, message: string): Problem => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { file, line, column, message };
  };
  const document = parseDocument(text, { lineCounter: lineCounter, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => at(pos[0], message));
  if (broken.length > 0) return { content: null, problems: broken };
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    return { content: null, problems: [at(0, (error as Error).message)] }; // too many aliases
  }
  const problems = [...shapeFaults(schema, content), ...checks(content)]
    .map(({ path, message }) => ({ offset: offsetOf(document, path), where: show(path), message }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, where, message }) => at(offset, where + message));
  return problems.length > 0 ? { content: null, problems } : { content: content as Static<S>, problems: [] };
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
  Settings.Set({ maxErrors: 1000 });
  try {
    return Errors(schema, content).flatMap(({ keyword, instancePath, message, params }) => {
      const path = instancePath.split('/').slice(1).map(unescape);
      if (keyword === 'additionalProperties') return []; // each unknown field is reported on its own
      if (keyword === 'required')
        return params.requiredProperties.map((name) => ({ path, message: `lacks "${name}"` }));
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
