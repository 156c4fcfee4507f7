import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as runCommand } from '../../cli/run.ts';
import { checkDatabase } from '../../server/check/check-database.ts';
import { migrate } from '../../server/db/migrate.ts';
import { createDb } from '../../server/db/pool.ts';
import { queryAt } from '../faults/postgres.ts';
import { openFolder, removeFolder, root, run, type Run } from '../faults/process.ts';
import { runToEnd } from '../support/command-line.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { createWorld } from '../support/every-endpoint.ts';
import { fillByRequests } from '../support/every-table.ts';
import { environment } from '../support/harness.ts';
import { pastWork, writeFolder } from '../support/past-work.ts';
import { rowsOfNoRequest } from '../support/rows-of-no-request.ts';
import { addressOf } from '../support/service-process.ts';
import { sendOrders } from './traffic.ts';
import { secretKey } from './versions.ts';

/** The code of 0.2.0 itself, not that of today with its migrations. */
const released = { version: '0.2.0', commit: 'b096cd810403ace5e2bb380fe61b6bc534612a67' };

/** Rates that 0.2.0 does not know, and refuses. */
const newRates = ['RATE_READ_PUBLIC', 'RATE_ASK_TO_LOOK', 'RATE_CHANGE_DRAFT', 'RATE_WRITE_COMMENT'];

let folder: string;
let old: Run | null = null;
let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;

beforeAll(async () => {
  folder = await openFolder();
  const code = join(folder, 'released');
  execFileSync('sh', ['-c', `mkdir ${code} && git archive ${released.commit} | tar -x -C ${code}`], { cwd: root });
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: code });
  postgres = await startDebianPostgres(15);
}, 600_000);
afterAll(async () => {
  old?.child.kill('SIGKILL');
  await old?.ended;
  await postgres.stop();
  await removeFolder(folder);
});

const settings = () => ({
  DATABASE_URL: postgres.url,
  DATA_DIR: folder,
  STORAGE_URL: `file:${join(folder, 'files')}`,
  SECRET_KEY: secretKey,
});

function runReleased(program: string[]): Run {
  const without = Object.fromEntries(newRates.map((name) => [name, undefined]));
  return run({ ...settings(), ...without, LOG_LEVEL: 'info' }, { program, folder: join(folder, 'released') });
}

/** A customer whose plan does not run out, made by the tests of the release, because its schema is not that of today. */
const customerOf = (url: string): string =>
  execFileSync(process.execPath, ['-e', makeKey], {
    cwd: join(folder, 'released'),
    env: { ...process.env, URL_OF: url, ...settings() },
    encoding: 'utf8',
  }).trim();

const makeKey = `const { makeCustomer } = await import('./test/support/service-process.ts');
  const { URL_OF, DATA_DIR, DATABASE_URL, SECRET_KEY } = process.env;
  process.stdout.write(await makeCustomer(URL_OF, DATA_DIR, DATABASE_URL, { SECRET_KEY }) + '\\n');`;

/**
 * What it logged at `error` and `fatal`, but for tasks that met the locks of the migration: they run again, and
 * `checkDatabase` sees what they would leave undone.
 */
const faultsOf = (output: string): string[] =>
  output
    .split('\n')
    .filter(
      (line) => /^\{"level":[56]0,/.test(line) && !/"code":"(?:40P01|57014)".*"msg":"the task \w+ failed"/.test(line),
    );

const ofTables = `select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`;

test('0.2.0 serves on while this version migrates and fills every table beside it', async () => {
  const migrated = runReleased(['cli/admin.ts', 'migrate']);
  expect(await migrated.ended, migrated.said()).toBe(0);
  await queryAt(postgres.url, await readFile(join(import.meta.dirname, `${released.version}.sql`), 'utf8'));
  old = runReleased(['server/main.ts']);
  const url = await addressOf(old);

  const traffic = sendOrders(customerOf(url), url);
  await wait(2_000);
  await migrate(postgres.url);
  const world = await createWorld(settings(), { databaseUrl: postgres.url });
  traffic.serving.push(world.service.url);
  const past = join(folder, 'past');
  writeFolder(past, pastWork());
  const imported = await runToEnd(runCommand, ['import', past], { env: { ...environment, ...settings() } });
  expect(imported.code, imported.out + imported.err).toBe(0);
  await fillByRequests(world);
  for (const { name } of await queryAt<{ name: string }>(postgres.url, ofTables)) {
    const [row] = await queryAt(postgres.url, `select from "${name}" limit 1`);
    const written = row ?? (await queryAt(postgres.url, `${rowsOfNoRequest[name]} returning 1`))[0];
    expect(written, `rows of ${name}`).toBeDefined();
  }
  const beside = traffic.acknowledged.length;
  await traffic.moveTo(world.service.url);
  old.child.kill('SIGTERM');
  expect(await old.ended, old.said()).toBe(0);
  const { failures, acknowledged } = await traffic.end();
  await world.service.close();

  expect(failures).toEqual([]);
  expect(beside).toBeGreaterThan(100);
  expect(acknowledged.length).toBeGreaterThan(beside);
  const titles = await queryAt<{ customer_title: string }>(postgres.url, 'select customer_title from jobs');
  expect(titles.map((job) => job.customer_title)).toEqual(expect.arrayContaining(acknowledged));
  const db = createDb(postgres.url, 1, () => {}, { patient: true });
  expect((await checkDatabase(db)).contradictions).toEqual([]);
  await db.destroy();
  expect(faultsOf(old.said())).toEqual([]);
}, 600_000);
