import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What only heavy proofs need, an S3 server and older clients among it. `npm ci` does not install it. */
const folder = join(import.meta.dirname, '../../proof');

/** Whether `npm ci --prefix proof` was run; npm writes this file last. */
export const hasProof = existsSync(join(folder, 'node_modules/.package-lock.json'));

/** A file of it. Its types are not known here, because they come with its packages. */
export function proofFile(name: string): string {
  if (!hasProof) throw new Error('Run `npm ci --prefix proof` first.');
  return join(folder, name);
}
export const importProof = (name: string): Promise<unknown> => import(pathToFileURL(proofFile(name)).href);
