import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parse } from 'yaml';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A file that stands beside the code, such as a table of rules. A mistake in it stops the start. */
export function readYaml<S extends TSchema>(path: string, schema: S): Static<S> {
  const read: unknown = parse(readFileSync(path, 'utf8'));
  const [mistake] = Compile(schema).Errors(read);
  if (mistake) throw new Error(`${relative(process.cwd(), path)} ${mistake.instancePath}: ${mistake.message}`);
  return read as Static<S>;
}
