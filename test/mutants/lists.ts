import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * `npm run test:mutants` proves that the tests see a guard go. It plants one fault after another in a copy
 * and runs the nearest tests. A fault that no test sees fails the run, and so does one whose place is not
 * there exactly once. `-- talk` plants those of which file or rule contains the word.
 */
export type Mutant = { rule: string; file: string; from: string; to: string; tests: string };

export const root = join(import.meta.dirname, '../..');

export const readMutants = (): Mutant[] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Mutant[]);

export const testsOf = ({ tests }: Mutant) => tests.split(' ').map((name) => `${name}.test.ts`);

/** Why a fault cannot be planted; null if it can. */
export function misplacement(mutant: Mutant): string | null {
  const { file, from, to } = mutant;
  const missing = [file, ...testsOf(mutant)].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) return `there is no ${missing}`;
  const places = readFileSync(join(root, file), 'utf8').split(from).length - 1;
  if (places !== 1) return `the place is there ${places} times`;
  return from === to ? 'nothing is changed' : null;
}
