import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Copy, makeCopy } from './copy.ts';

/**
 * `npm run test:mutants` proves that the tests see a guard go. It plants one fault after another in a copy
 * and runs the nearest tests. A fault that no test sees fails the run, and so does one whose place is not
 * there exactly once. `-- talk` plants those of which file or rule contains the word.
 */
type Mutant = { rule: string; file: string; from: string; to: string; tests: string };

const root = join(import.meta.dirname, '../..');

const readLists = (): Mutant[] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Mutant[]);

const testsOf = ({ tests }: Mutant) => tests.split(' ').map((name) => `${name}.test.ts`);

function misplacement(mutant: Mutant): string | null {
  const { file, from, to } = mutant;
  const missing = [file, ...testsOf(mutant)].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) return `there is no ${missing}`;
  const places = readFileSync(join(root, file), 'utf8').split(from).length - 1;
  if (places !== 1) return `the place is there ${places} times`;
  return from === to ? 'nothing is changed' : null;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

/** What the fault shows about the tests, or null if they see it. */
async function plant(copy: Copy, mutant: Mutant): Promise<string | null> {
  const began = performance.now();
  const { failed, broken } = await copy.testWith(mutant, testsOf(mutant), stop.signal);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const verdict = broken ?? failed ?? 'SURVIVED';
  console.log(`${seconds.padStart(4)} s  ${mutant.file}: ${mutant.rule}\n        ${verdict}`);
  if (failed !== null) return null;
  return broken === null ? 'no test sees it' : `the tests do not run with it: ${broken}`;
}

/** Without a fault all of these tests are green, otherwise a red one says nothing. */
async function control(copy: Copy, mutants: readonly Mutant[]): Promise<string[]> {
  const { failed, broken } = await copy.test([...new Set(mutants.flatMap(testsOf))], stop.signal);
  return failed === null && broken === null ? [] : [`without a fault: ${failed ?? broken}`];
}

async function plantAll(copies: readonly Copy[], mutants: readonly Mutant[]): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [...mutants];
  const work = async (copy: Copy) => {
    for (let next = waiting.shift(); next && !stop.signal.aborted; next = waiting.shift()) {
      const fault = await plant(copy, next);
      if (fault !== null) faults.push(`${next.file}: ${next.rule}: ${fault}`);
    }
  };
  await Promise.all(copies.map(work));
  return stop.signal.aborted ? [...faults, 'the run was stopped'] : faults;
}

const word = process.argv[2] ?? '';
const began = performance.now();
const mutants = readLists().filter(({ file, rule }) => file.includes(word) || rule.includes(word));
if (mutants.length === 0) throw new Error(`No mutant has "${word}" in its file or rule.`);
const looked = mutants.map((mutant) => ({ mutant, fault: misplacement(mutant) }));
const placed = looked.filter(({ fault }) => fault === null).map(({ mutant }) => mutant);
const misplaced = looked
  .filter(({ fault }) => fault !== null)
  .map(({ mutant: { file, rule }, fault }) => `${file}: ${rule}: ${fault}`);
// Two, because one run leaves a core idle while it waits.
const copies = await Promise.all([makeCopy(root), makeCopy(root)]);
const faults = misplaced;
try {
  faults.push(...(await control(copies[0], placed)), ...(await plantAll(copies, placed)));
} finally {
  for (const copy of copies) await copy.remove();
}
console.log(`${mutants.length} mutants in ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
