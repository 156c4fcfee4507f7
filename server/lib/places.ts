import { basename, extname, join } from 'node:path';

/** `server/`, or `dist/` of the bundle, whose folders have the same tables. */
export const server = join(import.meta.dirname, '..');

/** The folder of the checkout, or of the image. */
export const root = join(server, '..');

const extension = extname(import.meta.filename);

/** A program that runs in a process or thread of its own. In the bundle it is a file beside this one. */
export const programOf = (path: string): string =>
  extension === '.ts' ? join(server, path + extension) : join(import.meta.dirname, basename(path) + extension);
