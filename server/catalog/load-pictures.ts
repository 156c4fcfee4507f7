import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture } from './catalog.ts';

const contentTypes = new Map([
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
]);

/** bytes */
const largest = 512 * 1024;

type Pictures = {
  /** The path of each picture by `<family>/<option>`. */
  paths: Map<string, string>;
  pictures: Map<string, Picture>;
  problems: string[];
};

/** Reads `pictures/<family>/<option>.svg`, `.png`, `.jpg` or `.webp`, and reports every problem. */
export function loadPictures(dir: string, services: ReadonlySet<string>): Pictures {
  const loaded: Pictures = { paths: new Map(), pictures: new Map(), problems: [] };
  for (const name of namesIn(join(dir, 'pictures'))) {
    const [service = '', extension = ''] = name.split('.');
    const contentType = contentTypes.get(extension);
    const bytes = readFileSync(join(dir, 'pictures', name));
    const report = (problem: string) => loaded.problems.push(`pictures/${name}: ${problem}`);
    if (!contentType) report(`must end with .${[...contentTypes.keys()].join(', .')}`);
    else if (!services.has(service)) report('no option has this name');
    else if (loaded.paths.has(service)) report('the option has another picture');
    else if (bytes.length > largest) report('must have at most 512 KiB');
    else {
      // What a path names never changes, so browsers keep it.
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
      const path = `/catalog/pictures/${hash}.${extension}`;
      loaded.paths.set(service, path);
      loaded.pictures.set(path, { contentType, bytes });
    }
  }
  return loaded;
}

const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
        .toSorted()
    : [];
