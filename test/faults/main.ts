import { parseArgs } from 'node:util';
import { createRandom, type Figure, type Measured, numberOf, seconds } from './figure.ts';
import { runCases } from './cases.ts';
import { figures, lanes, last } from './figures/all.ts';
import { type Attempt, type Result, verdictOf, writeResults } from './report.ts';

/**
 * `npm run test:faults` measures what the service promises about faults, on two processes and one Postgres in production
 * form. `--figure F3` runs one, `--seed 7` decides all chance, `--short` is the form of two minutes.
 */
const usage = 'Usage: npm run test:faults -- [--figure F3] [--seed 7] [--short]';

function readArguments() {
  const options = { figure: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number.\n${usage}`);
  const names = figures.map(({ name }) => name);
  if (values.figure !== undefined && !names.includes(values.figure))
    throw new Error(`--figure must be one of ${names.join(', ')}.\n${usage}`);
  return { seed, figure: values.figure ?? null, short: values.short ?? false };
}

/** A control that could not be measured has not fired. */
const attempt = (measure: () => Promise<Measured>): Promise<Attempt> =>
  measure().then(
    (measured) => ({ ...measured, finished: true }),
    (error: unknown) => {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { measured: 'could not be measured', faults: [words], finished: false };
    },
  );

async function measure(figure: Figure, { seed, short }: { seed: number; short: boolean }): Promise<Result> {
  const began = performance.now();
  // The same chance for a figure, whichever ran before it.
  const session = { random: createRandom(seed * 100 + numberOf(figure)), short };
  const { name, title, target, cases = [] } = figure;
  const ours = await attempt(() => figure.run(session));
  const tests = session.short || cases.length === 0 ? null : await attempt(() => runCases(cases));
  const control = await attempt(() => figure.control(session));
  const result = { name, title, target, ours, tests, control, ms: performance.now() - began };
  const { met, words } = verdictOf(result);
  console.log(
    `${name.padEnd(4)} ${title}: ${ours.measured}; control: ${control.measured}: ${words}, ${seconds(result.ms)}`,
  );
  const faults = [ours, tests, control.finished ? null : control].flatMap((attempt) => attempt?.faults ?? []);
  if (!met) for (const fault of faults) console.log(`     ${fault}`);
  return result;
}

try {
  const { seed, figure: only, short } = readArguments();
  console.log(`seed ${seed}${short ? ', short' : ''}`);
  const began = performance.now();
  const results: Result[] = [];
  const measureLane = async (lane: readonly Figure[]) => {
    for (const figure of lane)
      if (only === null ? !short || figure.inShort : only === figure.name)
        results.push(await measure(figure, { seed, short }));
  };
  await Promise.all(lanes.map(measureLane));
  await measureLane(last);
  results.sort((a, b) => numberOf(a) - numberOf(b));
  const ms = performance.now() - began;
  // A part would replace the whole.
  if (only === null && !short) await writeResults({ seed, ms, results });
  const missed = results.filter((result) => !verdictOf(result).met);
  console.log(`${results.length - missed.length} of ${results.length} figures, ${seconds(ms)}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`The figures did not finish: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
