import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { server } from './places.ts';

/** A table of rules beside the code, by its path below `server/`. A mistake in it stops the start. */
export function readYaml<S extends TSchema>(path: string, schema: S): Static<S> {
  const read: unknown = parse(readFileSync(join(server, path), 'utf8'));
  const [mistake] = Compile(schema).Errors(read);
  if (mistake) throw new Error(`server/${path} ${mistake.instancePath}: ${mistake.message}`);
  return read as Static<S>;
}
