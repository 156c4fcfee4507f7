import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort, openFolder, removeFolder, run, untilServing } from '../../test/faults/process.ts';
import { ask, postmasterOf, urlOf as socketUrl } from '../../test/faults/postgres.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { serverProblems, type Server } from './check-database.ts';

let folder: string;
beforeAll(async () => void (folder = await openFolder()));
afterAll(() => removeFolder(folder));

test('missing rights, settings and connections are named together, and their statements let the service start', async () => {
  const [role, database] = [newName('Role'), newName('Data')];
  await asSuperuser('postgres', [
    `create role "${role}" login connection limit 6`,
    `create database "${database}" connection limit 7`,
    `alter role "${role}" in database "${database}" set default_transaction_read_only = on`,
  ]);
  // These options replace those of the service, as a pooler would drop them.
  const url = urlOf(role, database, { options: '-c work_mem=8MB' });
  const words = await refusal(url);
  expect(words).toMatch(/^Atelier did not start\. The database cannot be used:$/m);
  const statements = statementsIn(words);
  expect(words).toContain('- The role may not create tables in the schema public.\n');
  expect(words).toContain('- This process opens up to 13 connections, and the limit of the role is 6.\n');
  expect(statements).toContain(`grant create on database "${database}" to "${role}";`);
  expect(statements).toContain(`alter database "${database}" connection limit -1;`);
  expect(statements).toContain(
    `alter role "${role}" in database "${database}" set plan_cache_mode = 'force_generic_plan';`,
  );
  expect(statements).toContain(`alter role "${role}" in database "${database}" set enable_seqscan = 'off';`);
  await asSuperuser(database, statements);
  await expectStart(url);
});

test('settings of the role that the service sets for itself are no problem', async () => {
  const [role, database] = [newName('Role'), newName('Data')];
  await asSuperuser('postgres', [
    `create role "${role}" login`,
    `create database "${database}" owner "${role}"`,
    ...['datestyle = german', 'search_path = elsewhere', 'default_transaction_isolation = serializable']
      .concat('statement_timeout = 1', 'timezone = "Asia/Tokyo"')
      .map((setting) => `alter role "${role}" in database "${database}" set ${setting}`),
  ]);
  await expectStart(urlOf(role, database));
});

test('a database of another encoding is refused with the statement that makes a fitting one', async () => {
  const [role, database] = [newName('Role'), newName('Data')];
  await asSuperuser('postgres', [
    `create role "${role}" login`,
    `create database "${database}" owner "${role}" encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
  ]);
  const words = await refusal(urlOf(role, database));
  expect(words).toContain('The encoding is SQL_ASCII instead of UTF8');
  await asSuperuser('postgres', statementsIn(words));
  await expectStart(urlOf(role, 'atelier_utf8'));
  await asSuperuser('postgres', ['drop database atelier_utf8']);
});

test('a pool larger than max_connections is refused', async () => {
  const words = await refusal(urlOf('atelier', 'atelier'), { DATABASE_POOL: '200' });
  expect(words).toContain('opens up to 203 connections, and max_connections leaves 197: lower DATABASE_POOL');
  expect(statementsIn(words)).toEqual(['alter system set max_connections = 409;']);
});

test('production refuses a database that could lose what it acknowledged', async () => {
  const [role, database] = [newName('Role'), newName('Data')];
  await asSuperuser('postgres', [
    `create role "${role}" login`,
    `create database "${database}" owner "${role}"`,
    `alter database "${database}" set synchronous_commit = off`,
  ]);
  const words = await refusal(urlOf(role, database), {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://atelier.example.com',
    SMTP_URL: 'smtp://localhost',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnop',
  });
  // The Postgres of the tests runs without fsync.
  expect(statementsIn(words)).toEqual([
    'alter system set fsync = on; select pg_reload_conf();',
    `alter role "${role}" in database "${database}" set synchronous_commit = 'on';`,
  ]);
});

const fitting: Server = {
  version: 150_018,
  version_name: '15.18',
  encoding: 'UTF8',
  standby: false,
  read_only: 'off',
  may_create_schemas: true,
  may_create_tables: true,
  unfinished_restore: false,
  max_connections: 100,
  reserved_connections: 3,
  role_connections: -1,
  database_connections: -1,
  takes_settings: true,
  identity: '5 2026-11-24 00:00:00+00',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  schema: 'public',
  role: 'atelier',
  database: 'atelier',
};
const needs = { connections: 16, durable: true, poolerUrl: null };

test.each<[string, Partial<Server>, string[]]>([
  ['Postgres 15', {}, []],
  ['an older one', { version: 140_022, version_name: '14.22' }, ['Postgres 14.22 is too old']],
  ['a half-restored one', { unfinished_restore: true }, ['A restore did not end here']],
  ['a standby', { standby: true, read_only: 'on' }, ['The server is a standby']],
])('%s', (_what, facts, sentences) => {
  const problems = serverProblems({ ...fitting, ...facts }, needs);
  expect(problems).toEqual(
    sentences.map((words) => ({ sentence: expect.stringContaining(words) as string, statement: null })),
  );
});

test('a Postgres that recovers is waited for, also as one of several servers', async () => {
  const own = await openFolder();
  const once = await startEmbeddedPostgres(own, () => {});
  await once.stop();
  // A standby that is not hot answers as a server in recovery does, until it is promoted.
  const cluster = join(own, 'postgres/cluster');
  await writeFile(join(cluster, 'standby.signal'), '');
  const again = startEmbeddedPostgres(own, () => {}, { hot_standby: 'off' });
  await expect.poll(() => ask(own, 'select').catch(({ code }) => code)).toBe('57P03');
  const socket = join(own, 'postgres/socket/.s.PGSQL.5432');
  const server = createServer((inner) => inner.pipe(connect(socket).on('error', () => {})).pipe(inner)).listen(0);
  const { port: reached } = server.address() as AddressInfo;
  const severalUrl = `postgres://atelier@127.0.0.1:${await freePort()},127.0.0.1:${reached}/atelier?sslmode=disable`;
  const port = String(await freePort());
  const stopped = run({ DATA_DIR: own, DATABASE_URL: socketUrl(own) });
  const service = run({ DATA_DIR: own, DATABASE_URL: severalUrl, PORT: port });
  for (const { said } of [stopped, service]) await expect.poll(said).toContain('Atelier waits for it');
  stopped.child.kill('SIGTERM');
  expect(await stopped.ended, stopped.said()).toBe(0);
  await writeFile(join(cluster, 'promote'), '');
  process.kill(postmasterOf(own) ?? 0, 'SIGUSR1');
  await untilServing(`http://127.0.0.1:${port}`, service);
  service.child.kill('SIGTERM');
  expect(await service.ended, service.said()).toBe(0);
  server.close();
  await (await again).stop();
  await removeFolder(own);
});

const newName = (kind: string) => `${kind} ${randomBytes(6).toString('hex')}`;

const statementsIn = (words: string) => [...words.matchAll(/^ {4}(\S.*;)$/gm)].map(([, statement]) => statement ?? '');

function urlOf(role: string, database: string, settings: Record<string, string> = {}): string {
  const url = new URL(inject('templateUrl'));
  url.username = encodeURIComponent(role);
  url.pathname = `/${encodeURIComponent(database)}`;
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return url.href;
}

async function asSuperuser(database: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres', database) });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function refusal(url: string, env: Record<string, string> = {}): Promise<string> {
  const { ended, said } = run({ DATA_DIR: folder, DATABASE_URL: url, ...env });
  expect(await ended, said()).toBe(1);
  return said();
}

async function expectStart(url: string): Promise<void> {
  const port = await freePort();
  const service = run({ DATA_DIR: folder, DATABASE_URL: url, PORT: String(port) });
  await untilServing(`http://127.0.0.1:${port}`, service);
  service.child.kill('SIGTERM');
  expect(await service.ended, service.said()).toBe(0);
}
