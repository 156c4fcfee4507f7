import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { installedBinaries } from '../../server/embedded-postgres/home.ts';
import { type Measured, seconds } from './figure.ts';
import { root } from './process.ts';

export type Attempt = Measured & { finished: boolean };

/** `tests`: those of vitest that belong to the figure; null if none ran. */
export type Result = {
  name: string;
  title: string;
  target: string;
  ours: Attempt;
  tests: Attempt | null;
  control: Attempt;
  ms: number;
};

type Run = { seed: number; ms: number; results: Result[]; commit: string; at: string; tools: string; machine: string };

const caught = ({ finished, faults }: Attempt) => finished && faults.length > 0;

export function verdictOf({ ours, tests, control }: Result): { met: boolean; words: string } {
  const missed = ours.faults.length > 0 || (tests?.faults.length ?? 0) > 0;
  const words = missed ? 'missed' : caught(control) ? 'met' : 'not proved: its control was not caught';
  return { met: words === 'met', words };
}

const git = (...command: string[]) => execFileSync('git', command, { cwd: root, encoding: 'utf8' }).trim();

/** The last two runs of different seeds are side by side. */
export async function writeResults({ seed, ms, results }: Pick<Run, 'seed' | 'ms' | 'results'>): Promise<void> {
  const stored = join(import.meta.dirname, 'results.json');
  const before = await readFile(stored, 'utf8').then(
    (text) => JSON.parse(text) as Run[],
    () => [],
  );
  const postgres = execFileSync(join(installedBinaries(), 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  const run: Run = {
    seed,
    ms,
    results,
    commit: `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain', '--', 'server') === '' ? '' : ', changed'}`,
    at: new Date().toISOString().slice(0, 16).replace('T', ' '),
    tools: `Node ${process.versions.node}, Postgres ${/[\d.]+/.exec(postgres)?.[0] ?? ''}`,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
  };
  const runs = [run, ...before.filter((other) => other.seed !== seed)].slice(0, 2);
  await writeFile(stored, `${JSON.stringify(runs, null, 2)}\n`);
  await writeFile(join(import.meta.dirname, 'RESULTS.md'), document(runs));
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const row = ({ name, title, target, ours, tests, control, ms, ...rest }: Result) =>
  [
    name,
    title,
    target,
    [ours.measured, ...(tests ? [tests.measured] : [])].join('; '),
    `${caught(control) ? 'caught' : 'not caught'}: ${[control.measured, ...control.faults.slice(0, 2)].join('; ')}`,
    verdictOf({ name, title, target, ours, tests, control, ms, ...rest }).words,
    seconds(ms),
  ].map(cell);

const table = (rows: string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const section = ({ seed, commit, at, tools, machine, ms, results }: Run) => `## Seed ${seed}

- ${at} UTC, commit ${commit}, ${Math.round(ms / 60_000)} min (${seconds(ms)})
- ${tools}; ${machine}
- ${results.filter((result) => verdictOf(result).met).length} of ${results.length} met

${table([['figure', 'fault', 'target', 'measured', 'control', '', 'time'], Array.from({ length: 7 }, () => '---'), ...results.map(row)])}
`;

const document = (runs: Run[]) => `# What faults do

Made by \`npm run test:faults\`: two processes in production form on one Postgres of their own. The control of a figure is the
same procedure against a variant that is broken on purpose (\`test/faults/broken/\`): a figure counts only if the control was caught in
the same run. Times have the slack of a machine on which other processes run.

${runs.map(section).join('\n')}`;
