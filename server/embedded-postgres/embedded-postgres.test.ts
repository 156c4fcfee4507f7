import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isAlive, signal } from './orphans.ts';

// Each service runs in its own process, so that it can be killed.
const script = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
  const [dataDir, settings, arch] = process.argv.slice(1);
  if (arch) Object.defineProperty(process, 'arch', { value: arch });
  const say = (line) => console.log(JSON.stringify({ said: line }));
  try {
    const postgres = await startEmbeddedPostgres(dataDir, say, JSON.parse(settings));
    process.on('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
    setInterval(() => undefined, 60_000);
    console.log(JSON.stringify({ url: postgres.url, directory: postgres.directory }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.name + ': ' + error.message }));
  }
`;

type Service = { process: ChildProcess; said: string[]; url: string; directory: string; refused?: string };

const asRoot = process.getuid?.() === 0;
const folders: string[] = [];
const services: Service[] = [];
let template: string;

beforeAll(async () => {
  template = newFolder();
  await start(template);
  await endAll();
});
afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(1)) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
afterAll(() => fs.rmSync(template, { recursive: true }));

async function endAll(): Promise<void> {
  for (const { process: service, directory } of services.splice(0).toReversed()) {
    if (service.exitCode === null && service.signalCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    } else await kill(postmasterOf(directory));
    if (directory.startsWith('/var/lib/atelier/')) folders.push(directory);
  }
}

test('a first start serves a durable UTF-8 database to a role that is not a superuser', async () => {
  const { url, directory } = await start(newFolder(), {});
  const names = ['server_encoding', 'fsync', 'full_page_writes', 'synchronous_commit', 'is_superuser'];
  const values = await Promise.all(names.map((name) => query(url, `show ${name}`)));
  expect(values).toEqual(['UTF8', 'on', 'on', 'on', 'off']);
  expect(await query(url, 'show server_version')).toMatch(/^18\./);
  expect(await query(url, 'select datlocale from pg_database where datname = current_database()')).toBe('C.UTF-8');
  expect(await query(url, "select lower('ÄÖ')")).toBe('äö');
  expect(fs.readFileSync(join(directory, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
});

test('other users of the machine reach neither the socket nor the data', async () => {
  const { url, directory } = await start(usedFolder());
  const socket = new URL(url).searchParams.get('host') ?? '';
  const paths = [socket, join(directory, 'cluster'), join(directory, 'postgres.log')];
  expect(paths.map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  expect(await query(url, 'show listen_addresses')).toBe('');
});

test('a second start has the data of the first', async () => {
  const folder = usedFolder();
  const first = await start(folder);
  await query(first.url, 'create table kept as select 42 as n');
  first.process.kill('SIGTERM');
  await once(first.process, 'exit');
  expect(postmasterOf(first.directory)).toBeUndefined();
  const second = await start(folder);
  expect(await query(second.url, 'select n from kept')).toBe(42);
});

test('a second service on the same folder is refused with the process id of the first', async () => {
  const folder = usedFolder();
  const first = await start(folder);
  const second = await start(folder);
  expect(second.refused).toContain(`process ${first.process.pid}`);
  expect(second.refused).toContain('DATA_DIR');
  expect(await query(first.url, 'select 1')).toBe(1);
});

test('after kill -9 of the service the next one adopts the Postgres that still runs', async () => {
  const folder = usedFolder();
  const first = await start(folder);
  const postmaster = postmasterOf(first.directory);
  await busyBackend(first.url);
  await kill(first.process.pid);
  const second = await start(folder);
  expect(postmasterOf(second.directory)).toBe(postmaster);
  expect(await query(second.url, 'select 1')).toBe(1);
});

test('after kill -9 of Postgres with a busy backend the running service starts it again at the same url', async () => {
  const first = await start(usedFolder());
  await query(first.url, 'create table kept as select 42 as n');
  await busyBackend(first.url);
  await kill(postmasterOf(first.directory));
  await expect.poll(() => query(first.url, 'select n from kept').catch(String)).toBe(42);
  expect(first.said.join()).toContain('starting it again');
});

test('after kill -9 of both with a busy backend the next start has every commit', async () => {
  const folder = usedFolder();
  const first = await start(folder);
  await query(first.url, 'create table kept as select 42 as n');
  const backend = await busyBackend(first.url);
  await kill(first.process.pid);
  await kill(postmasterOf(first.directory));
  const second = await start(folder);
  expect(await query(second.url, 'select n from kept')).toBe(42);
  expect(isAlive(backend)).toBe(false);
});

test('a process id that has come to belong to another process does not keep Postgres from starting', async () => {
  const folder = usedFolder();
  const { process: service, directory } = await start(folder);
  await kill(service.pid);
  const postmaster = postmasterOf(directory);
  await kill(postmaster);
  const file = join(directory, 'cluster', 'postmaster.pid');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(`${postmaster}`, `${process.pid}`));
  const second = await start(folder);
  expect(await query(second.url, 'select 1')).toBe(1);
});

test('a cluster whose creation was killed is created again', async () => {
  const folder = newFolder();
  const killed = spawn(process.execPath, ['--input-type=module', '-e', script, folder, '{}'], { stdio: 'ignore' });
  const unfinished = () => {
    const files = fs.existsSync(join(folder, 'postgres')) ? fs.readdirSync(join(folder, 'postgres')) : [];
    return files.find((name) => name.startsWith('cluster.unfinished-'));
  };
  const hasBegun = () => fs.existsSync(join(folder, 'postgres', unfinished() ?? 'none', 'base'));
  await expect.poll(hasBegun, { interval: 5 }).toBe(true);
  await kill(killed.pid);
  expect(unfinished()).toBeDefined();
  expect(await query((await start(folder)).url, 'select 1')).toBe(1);
  expect(unfinished()).toBeUndefined();
});

test('a folder with a long and odd name works, though a socket path holds 108 bytes', async () => {
  const folder = join(newFolder(), 'it\'s, a "long" näme '.repeat(6));
  const { url, refused } = await start(folder);
  expect(refused).toBeUndefined();
  expect(await query(url, 'select 1')).toBe(1);
});

test('a Postgres that does not start is refused with the end of its log', async () => {
  const folder = usedFolder();
  const { refused } = await start(folder, { shared_buffers: 'nonsense' });
  expect(refused).toContain('invalid value for parameter "shared_buffers"');
  expect((await start(folder)).refused).toBeUndefined();
});

test('a platform without a binary is refused with the variable to set', async () => {
  const { refused } = await start(newFolder(), {}, 'pdp11');
  expect(refused).toMatch(/^EmbeddedPostgresUnavailable: .*-pdp11.*DATABASE_URL/);
});

test.runIf(asRoot)('as root under a closed folder the data is elsewhere, said on screen, and found again', async () => {
  const folder = join(newFolder(0o700), 'data');
  const first = await start(folder);
  expect(first.directory).toMatch(/^\/var\/lib\/atelier\/[0-9a-f]{16}$/);
  expect(first.said.join()).toContain(first.directory);
  await query(first.url, 'create table kept as select 42 as n');
  await kill(first.process.pid);
  await kill(postmasterOf(first.directory));
  const second = await start(folder);
  expect(second.directory).toBe(first.directory);
  expect(second.said.join()).toContain(first.directory);
  expect(await query(second.url, 'select n from kept')).toBe(42);
});

/** A folder that a service has used. A copy, because creating a cluster takes most of a second. */
function usedFolder(): string {
  const folder = newFolder();
  execFileSync('cp', ['-a', `${template}/.`, folder]);
  return folder;
}

function newFolder(mode = 0o711): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'atelier-postgres-'));
  folders.push(folder);
  fs.chmodSync(folder, mode);
  return folder;
}

/** Runs without fsync for speed; only a power cut would notice. */
async function start(folder: string, settings: Record<string, string> = { fsync: 'off' }, arch = ''): Promise<Service> {
  const argv = [folder, JSON.stringify(settings), arch];
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const service: Service = { process: child, said: [], url: '', directory: '' };
  services.push(service);
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve) => {
    lines.on('close', resolve);
    lines.on('line', (line) => {
      const { said, ...outcome } = JSON.parse(line) as { said?: string };
      if (said !== undefined) return void service.said.push(said);
      Object.assign(service, outcome);
      resolve();
    });
  });
  return service;
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/**
 * Returns the id of a backend that computes without a pause. It notices neither a lost client nor a lost
 * postmaster.
 */
async function busyBackend(url: string): Promise<number> {
  const busy = 'select count(*) from generate_series(1, 1000) a, generate_series(1, 1000000000) b';
  query(url, busy).catch(() => undefined);
  const find = () => query(url, `select pid from pg_stat_activity where query = '${busy}'`);
  await expect.poll(find).toBeTypeOf('number');
  return Number(await find());
}

async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  signal(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid), { interval: 5 }).toBe(false);
}

function postmasterOf(directory: string): number | undefined {
  const file = join(directory, 'cluster', 'postmaster.pid');
  return fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : undefined;
}
