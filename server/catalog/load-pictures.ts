import { createHash } from 'node:crypto';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import type { Picture } from './catalog.ts';
import { type Documents, ofFile } from './documents.ts';

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
  problems: Problem[];
};

/** Reads `pictures/<family>/<option>.svg`, `.png`, `.jpg` or `.webp`, and reports every problem. */
export function loadPictures(documents: Documents, services: ReadonlySet<string>): Pictures {
  const loaded: Pictures = { paths: new Map(), pictures: new Map(), problems: [] };
  for (const [file, bytes] of documents) {
    if (!file.startsWith('pictures/')) continue;
    const [service = '', extension = ''] = file.slice('pictures/'.length).split('.');
    const contentType = contentTypes.get(extension);
    const report = (problem: string) => loaded.problems.push(ofFile(file, problem));
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
