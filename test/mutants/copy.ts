import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startTemporaryPostgres } from '../support/postgres.ts';

/** `broken`: no test ran to its end. `failed`: the name of a test, with the first line of its error. */
export type Outcome = { failed: string | null; broken: string | null };

type Report = { testResults: { name: string; message: string; assertionResults: Assertion[] }[] };
type Assertion = { status: string; fullName: string; failureMessages: string[] };

export type Copy = Awaited<ReturnType<typeof makeCopy>>;

/** A copy of the work tree with a Postgres of its own, which its runs use one after another. */
export async function makeCopy(root: string) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mutants-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0'))
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const postgres = await startTemporaryPostgres();
  return {
    /** Runs these tests while `to` stands for `from`. */
    async testWith(fault: { file: string; from: string; to: string }, tests: readonly string[], stopped: AbortSignal) {
      const path = join(folder, fault.file);
      const sound = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        sound.replace(fault.from, () => fault.to),
      );
      try {
        return await runTests(folder, postgres.url, tests, stopped);
      } finally {
        writeFileSync(path, sound);
      }
    },
    test: (tests: readonly string[], stopped: AbortSignal) => runTests(folder, postgres.url, tests, stopped),
    async remove() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Milliseconds, for a fault that lets a test wait for ever. */
const longest = (tests: readonly string[]) => 600_000 + 30_000 * tests.length;

/** What `npm test` runs, and the slow rooms, up to the first failed test. */
async function runTests(folder: string, url: string, tests: readonly string[], stopped: AbortSignal): Promise<Outcome> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const projects = ['shared', 'web', 'alone', 'slow', 'faults'].flatMap((name) => ['--project', name]);
  const written = ['--reporter', 'json', '--outputFile', report, '--fsModuleCachePath', join(folder, '.cache')];
  const words = [join(folder, 'scripts/run.cjs'), 'vitest', 'run', ...projects, ...written, '--bail', '1', ...tests];
  const env = { ...process.env, TEST_POSTGRES_URL: url, TEST_RETRIES: '0' };
  const run = spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  run.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const end = () => run.kill();
  const timer = setTimeout(end, longest(tests));
  stopped.addEventListener('abort', end, { once: true });
  const [code] = (await once(run, 'close')) as [number | null];
  clearTimeout(timer);
  stopped.removeEventListener('abort', end);
  await dropDatabases(url);
  if (!existsSync(report)) return { failed: null, broken: `no report, exit ${code}: ${said.join('').slice(-2_000)}` };
  return judge(JSON.parse(readFileSync(report, 'utf8')) as Report, tests, code);
}

function judge({ testResults }: Report, tests: readonly string[], code: number | null): Outcome {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.find(({ status }) => status === 'failed');
  if (failed) return { failed: `${failed.fullName}: ${failed.failureMessages[0]?.split('\n')[0]}`, broken: null };
  const broken = testResults.find(({ message }) => message !== '');
  if (broken) return { failed: null, broken: `${broken.name}: ${broken.message}` };
  const unrun = tests.find((test) => {
    const own = testResults.find(({ name }) => name.endsWith(`/${test}`));
    return !own?.assertionResults.some(({ status }) => status === 'passed');
  });
  if (unrun !== undefined) return { failed: null, broken: `no test of ${unrun} has run` };
  return { failed: null, broken: code === 0 ? null : `exit ${code} without a failed test` };
}

/** Each test file leaves a database or more behind. */
async function dropDatabases(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where not datistemplate and datname not in ('postgres', current_database())`,
  );
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  await client.end();
}
