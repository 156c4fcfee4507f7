import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { sessionSettings } from '../../server/db/pool.ts';
import { createUntilStopped } from '../faults/creates.ts';
import { tally, wrongs } from '../faults/load.ts';
import { openFolder, removeFolder, run } from '../faults/process.ts';
import { environment } from '../support/harness.ts';
import { patience } from '../support/patience.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** Run by `npm run test:pooler`: what is refused, and what holds, with PgBouncer in transaction mode in between. */

let folder: string;
let database: { role: string; url: string };
beforeEach(async () => {
  folder = await openFolder();
  database = await createDatabase();
});
afterEach(() => removeFolder(folder));

/** Poolers that are told to drop what they do not know, as operators do to get a client through. */
const dropping = `ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout,lock_timeout`;

test('a pooler in DATABASE_URL alone is refused, and no migration begins', async () => {
  await asSuperuser(database.url, statementsFor(database.role));
  for (const settings of ['', dropping]) {
    const pooler = await openPooler(settings);
    expect(await refusal({ DATABASE_URL: pooler })).toContain(
      'name the address of Postgres itself in DATABASE_DIRECT_URL',
    );
  }
  expect(await asSuperuser(database.url, [`select to_regclass('kysely_migration') as name`])).toEqual([{ name: null }]);
});

test('the refusal names the settings of the role, and with them the service starts and says its connections', async () => {
  const urls = { DATABASE_URL: await openPooler(), DATABASE_DIRECT_URL: database.url };
  const words = await refusal(urls);
  const statement = `statement_timeout is 0 instead of ${patience.database.statement}`;
  expect(words).toContain(`${statement}: through a pooler the role has it.`);
  await asSuperuser(
    database.url,
    [...words.matchAll(/^ {4}(\S.*;)$/gm)].map(([, statement]) => statement ?? ''),
  );
  expect(words).toContain('have the pooler open new connections (RECONNECT of PgBouncer)');
  await reconnect(urls.DATABASE_URL);
  const service = await startServiceProcess({ ...urls, DATABASE_POOL: '5' }, database.url);
  onTestFinished(service.stop);
  expect(service.run.said()).toContain('opens at most 5 connections to the pooler and 3 to Postgres');
});

test('a pooler before another database is refused', async () => {
  await asSuperuser(database.url, statementsFor(database.role));
  const other = new URL(await openPooler());
  other.pathname = '/postgres';
  expect(await refusal({ DATABASE_URL: other.href, DATABASE_DIRECT_URL: database.url })).toContain(
    'DATABASE_URL and DATABASE_DIRECT_URL reach different databases',
  );
});

test('creates go on through the pooler, also after a table was changed, and events are heard', async () => {
  await asSuperuser(database.url, statementsFor(database.role));
  const urls = { DATABASE_URL: await openPooler(), DATABASE_DIRECT_URL: database.url };
  const service = await startServiceProcess(urls, database.url);
  onTestFinished(service.stop);
  const creates = createUntilStopped(service.asks, service.key, 8);
  await expect.poll(() => creates.made.size).toBeGreaterThan(50);
  await asSuperuser(database.url, [
    'alter table jobs add column later text',
    'alter table api_keys add column later text',
  ]);
  const [tried, made] = [creates.outcomes.length, creates.made.size];
  await expect.poll(() => creates.made.size).toBeGreaterThan(made + 100);
  await creates.stop();
  expect(wrongs(creates.outcomes)).toEqual([]);
  expect(creates.torn).toEqual([]);
  const after = creates.outcomes.slice(tried);
  expect(after.slice(-50).filter(({ status }) => status >= 500)).toEqual([]);
  expect(tally(after)['503 service_unavailable'] ?? 0).toBeLessThan(40);
  const rows = await asSuperuser(database.url, [
    `select key, answer->'job'->>'id' as id from idempotency_keys where route = 'POST /api/v1/jobs'`,
  ]);
  expect(new Map(rows.map(({ key, id }) => [key, id]))).toEqual(creates.made);
  expect(await asSuperuser(database.url, ['select count(*)::int as jobs from jobs'])).toEqual([
    { jobs: creates.made.size },
  ]);
  expect(service.run.said()).not.toContain('LISTEN does not work');
});

test('the lock of migrations is never left, even if they go through a pooler with other traffic', async () => {
  await asSuperuser(database.url, statementsFor(database.role));
  const pooler = await openPooler(dropping);
  let going = true;
  const traffic = Array.from({ length: 8 }, async () => {
    const client = new pg.Client({ connectionString: pooler });
    await client.connect();
    while (going) await client.query('select pg_sleep(0.002)');
    await client.end();
  });
  for (let n = 0; n < 5; n++) {
    await migrate(pooler);
    expect(await locks()).toEqual([]);
  }
  going = false;
  await Promise.all(traffic);
});

test('a migration that is killed leaves no lock', async () => {
  await migrate(database.url);
  await asSuperuser(database.url, [
    'delete from kysely_migration where name = (select max(name) from kysely_migration)',
  ]);
  const blocker = await connect(database.url);
  await blocker.query('begin; lock table kysely_migration in access exclusive mode');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...environment, DATA_DIR: folder, DATABASE_URL: database.url };
  const child = spawn(process.execPath, ['cli/admin.ts', 'migrate'], { env, stdio: 'ignore' });
  await expect.poll(locks).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await blocker.query('rollback');
  await blocker.end();
  await expect.poll(locks).toEqual([]);
});

const locks = () =>
  asSuperuser(database.url, [
    `select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  ]);

/** A role that is known to no pooler yet, and a database of its own. */
async function createDatabase(): Promise<{ role: string; url: string }> {
  const name = `pooled_${randomBytes(6).toString('hex')}`;
  const url = new URL(inject('templateUrl'));
  await asSuperuser(url.href, [`create role ${name} login createdb`, `create database ${name} owner ${name}`]);
  url.username = name;
  url.pathname = `/${name}`;
  return { role: name, url: url.href };
}

const statementsFor = (role: string) =>
  Object.entries(sessionSettings('public', patience.database)).map(
    ([name, value]) => `alter role ${role} set ${name} = '${value}'`,
  );

async function openPooler(settings = ''): Promise<string> {
  const pooler = await startPgBouncer(process.env.PGBOUNCER ?? '', database.url, settings);
  onTestFinished(pooler.stop);
  return pooler.url;
}

async function reconnect(url: string): Promise<void> {
  const console = new URL(url);
  console.pathname = '/pgbouncer';
  const client = new pg.Client({ connectionString: console.href });
  await client.connect();
  await client.query('reconnect');
  await client.end();
}

async function connect(url: string): Promise<pg.Client> {
  const superuser = new URL(url);
  superuser.username = 'postgres';
  const client = new pg.Client({ connectionString: superuser.href });
  await client.connect();
  return client;
}

/** The rows of the last statement. */
// The caller knows its own statement.
// oxlint-disable-next-line typescript/no-explicit-any
async function asSuperuser(url: string, statements: string[]): Promise<any[]> {
  const client = await connect(url);
  // oxlint-disable-next-line typescript/no-explicit-any
  let rows: any[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

async function refusal(urls: Record<string, string>): Promise<string> {
  const { ended, said } = run({ DATA_DIR: folder, ...urls });
  expect(await ended, said()).toBe(1);
  return said();
}
