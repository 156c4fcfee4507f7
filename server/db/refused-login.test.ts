import { readFile, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { startTemporaryPostgres } from '../../test/support/postgres.ts';
import { asRefusal } from '../http/failure.ts';
import { checkDatabase } from './check-database.ts';
import { migrate } from './migrate.ts';
import { createDb, databaseTime } from './pool.ts';
import { type Queue, startQueue } from './queue.ts';

const [first, second] = ['the-first-password', 'the-second-password'];

let postgres: Awaited<ReturnType<typeof startTemporaryPostgres>>;
let admin: pg.Client;
let service: Service;
let queue: Queue;
let tasks = 0;
let customer: Awaited<ReturnType<typeof newCustomer>>;

const urlOf = (user: string, password = '') =>
  Object.assign(new URL(postgres.url), { username: user, password, pathname: user }).href;

// Of its own: only a Postgres that asks for passwords refuses one.
beforeAll(async () => {
  postgres = await startTemporaryPostgres();
  admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`create role studio login password '${first}'`);
  await admin.query('create database studio owner studio');
  const { rows } = await admin.query('show hba_file');
  const rules = await readFile(rows[0].hba_file, 'utf8');
  await writeFile(rows[0].hba_file, `local all studio scram-sha-256\n${rules}`);
  await admin.query('select pg_reload_conf()');
  const databaseUrl = urlOf('studio', first);
  await migrate(databaseUrl);
  service = await createService({ LOG_LEVEL: 'silent' }, { databaseUrl });
  customer = await newCustomer(service, 'studio');
  const task = { everySeconds: 1, run: async () => void tasks++ };
  queue = startQueue(databaseUrl, { task }, { warn: () => {}, error: () => {} });
});
afterAll(async () => {
  await queue.stop();
  await service.close();
  await admin.end();
  await postgres.stop();
});

const cut = `select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = 'studio'`;
const failed = async () => {
  const { body } = await service.call('GET', '/metrics');
  return Number(/^atelier_requests_total\{outcome="failed"\} (\d+)$/m.exec(body)?.[1]);
};
const answers = async () => (await service.call('GET', '/api/v1/jobs', { as: customer.key })).status === 200;

test.each([
  ['another password', `alter role studio password '${second}'`, `alter role studio password '${first}'`],
  ['a role that may not log in', 'alter role studio nologin', 'alter role studio login'],
  ['no connection for the role', 'alter role studio connection limit 0', 'alter role studio connection limit -1'],
  [
    'no right to connect',
    'revoke connect on database studio from studio, public',
    'grant connect on database studio to studio, public',
  ],
  [
    'a database that takes no connections',
    'alter database studio allow_connections false',
    'alter database studio allow_connections true',
  ],
])('503 service_unavailable with Retry-After at every door: %s', async (_, refuse, allow) => {
  const { person, key } = customer;
  const before = await failed();
  await admin.query(refuse);
  await admin.query(cut);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_jobs', arguments: {} } };
  for (const [method, path, options] of [
    ['GET', '/api/v1/jobs', { as: key }],
    ['GET', '/api/auth/members', { as: person.token }],
    ['POST', '/api/auth/sign-in/email', { body: { email: person.email, password: person.password } }],
    ['POST', '/mcp', { as: key, body: call }],
  ] as const) {
    const { status, headers, body } = await service.call(method, path, options);
    expect([status, body.error?.code, headers.get('retry-after')], path).toEqual([503, 'service_unavailable', '2']);
  }
  expect(await failed()).toBe(before + 4);
  await admin.query(allow);
  await expect.poll(answers).toBe(true);
});

test('/readyz has the words of Postgres; listener, queue and pool go on after the password is right again', async () => {
  await expect.poll(() => service.context.hub.isHeard()).toBe(true);
  await admin.query(`alter role studio password '${second}'`);
  await admin.query(cut);
  const ready = async () => (await service.call('GET', '/readyz?verbose')).body.error;
  const words = 'refuses: password authentication failed for user "studio"';
  await expect.poll(async () => (await ready()).message).toBe(`Not ready: the database ${words}.`);
  const { details } = await ready();
  expect(details).toContainEqual({ location: 'database', message: words });
  expect(JSON.stringify(details)).not.toMatch(/the-(first|second)-password/);
  await expect.poll(() => service.context.hub.isHeard()).toBe(false);

  await admin.query(`alter role studio password '${first}'`);
  const seen = tasks;
  await expect.poll(answers).toBe(true);
  await expect.poll(() => service.context.hub.isHeard()).toBe(true);
  await expect.poll(() => tasks).toBeGreaterThan(seen);
});

test.each([
  ['a server without TLS', () => `${urlOf('studio', first).replace('sslmode=disable', '')}&sslmode=verify-full`],
  ['a host that does not exist', () => `postgres://studio:${first}@nowhere.invalid/studio`],
  ['a database that does not exist', () => urlOf('studio', first).replace('/studio?', '/gone?')],
])('503 service_unavailable, and no password in the words: %s', async (_, url) => {
  const db = createDb(url(), 1, () => {});
  const error = await databaseTime(db).catch((caught: unknown) => caught);
  await db.destroy();
  expect(asRefusal(error)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(String(error)).not.toContain(first);
});

test('a second role by the statements of the manual: both serve, what it makes belongs to the first, which then may not log in', async () => {
  const manual = await readFile(new URL('../../docs/operations/run.md', import.meta.url), 'utf8');
  const [, statements = ''] = /```sql\n(create role atelier_b[^`]+)```/.exec(manual) ?? [];
  await admin.query(statements.replaceAll('atelier', 'studio').replace('…', second));
  const databaseUrl = urlOf('studio_b', second).replace('/studio_b?', '/studio?');
  await checkDatabase(databaseUrl, { connections: 13, durable: false, poolerUrl: null });
  const beside = await createService({ LOG_LEVEL: 'silent' }, { databaseUrl });
  const made = await newCustomer(beside, 'studio');
  expect((await service.call('GET', '/api/v1/jobs', { as: made.key })).status).toBe(200);
  await sql`create table made_by_b ()`.execute(beside.context.db);
  const { rows } = await sql`select tableowner from pg_tables where tablename = 'made_by_b'`.execute(beside.context.db);
  expect(rows).toEqual([{ tableowner: 'studio' }]);
  await admin.query('alter role studio nologin');
  await admin.query(cut);
  expect((await beside.call('GET', '/api/v1/jobs', { as: made.key })).status).toBe(200);
  expect((await service.call('GET', '/api/v1/jobs', { as: made.key })).status).toBe(503);
  await admin.query('alter role studio login');
  await expect.poll(answers).toBe(true);
  await beside.close();
});
