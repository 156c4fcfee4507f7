import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { pictureName } from './catalog-file.ts';

/** The files of a catalog by name, such as `families.yaml` and `pictures/design/logo.svg`. */
export type Documents = ReadonlyMap<string, Buffer>;

const texts = ['families.yaml', 'plans.yaml', 'file-types.yaml', 'studio.yaml'];
const namedPicture = new RegExp(pictureName);

export const isText = (file: string): boolean => texts.includes(file);

/** Whether a file is part of a catalog; pictures beside `studio.yaml` are, if it names them. */
export const isOfCatalog = (file: string): boolean =>
  isText(file) || namedPicture.test(file) || /^pictures\/[^/]+\/[^/]+$/.test(file);

/** Reads the files of a folder that are part of a catalog. */
export function readFolder(dir: string): Documents {
  const studio = existsSync(join(dir, 'studio.yaml')) ? readFileSync(join(dir, 'studio.yaml'), 'utf8') : '';
  const names = namesIn(dir).filter(
    (name) => isText(name) || name.includes('/') || (namedPicture.test(name) && studio.includes(name)),
  );
  return new Map(names.map((name) => [name, readFileSync(join(dir, name))]));
}

function namesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile());
  const pictures = join(dir, 'pictures');
  const families = existsSync(pictures)
    ? readdirSync(pictures, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const samples = families.flatMap(({ name }) =>
    readdirSync(join(pictures, name)).map((file) => `pictures/${name}/${file}`),
  );
  return [...files.map(({ name }) => name), ...samples].toSorted();
}

/** `file:line:column reason`, with the path of its folder if it was read from one. */
export const showProblem = ({ file, line, column, message }: Problem, dir = ''): string =>
  `${join(dir, file)}:${line === null ? '' : `${line}:${column}`} ${message}`;

export const ofFile = (file: string, message: string): Problem => ({
  file,
  line: null,
  column: null,
  message,
  path: null,
  reason: message,
});

export function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
