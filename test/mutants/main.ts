import { type Copy, makeCopy } from './copy.ts';
import { misplacement, type Mutant, readMutants, root, testsOf } from './lists.ts';

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
const mutants = readMutants().filter(({ file, rule }) => file.includes(word) || rule.includes(word));
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
