import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { createCluster, environment, superuser } from './cluster.ts';
import { giveTo, reachableBinaries, type PostgresHome } from './home.ts';
import { endProcessesIn, isAlive, knowsProcesses, signal } from './orphans.ts';

export const port = 5432;

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** For many short transactions on a disk without seek times; `docs/operations/install.md` names them. */
const shortTransactions = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum_naptime: '10s',
};

/** Returns the process id of the Postgres that serves `home`: the one still running, or a new one. */
export async function runPostgres(
  home: PostgresHome,
  installed: string,
  settings: Record<string, string>,
  onSpawn: (pid: number | undefined) => void,
): Promise<number> {
  if (fs.existsSync(pidFile(home)) && (await stillServes(home))) return postmasterId(home);
  await endProcessesIn(home.cluster, home.runAs);
  // After a restart of the machine or container, the recorded id may belong to any process, and Postgres
  // would believe it.
  if (knowsProcesses) fs.rmSync(pidFile(home), { force: true });
  const binaries = reachableBinaries(installed, home);
  if (!fs.existsSync(home.cluster)) await createCluster(home, binaries);
  for (const giveUp = performance.now() + 30_000; ; await sleep(250)) {
    const failure = await launch(home, binaries, settings, onSpawn);
    if (failure === undefined) return postmasterId(home);
    // If the orphans of a killed postmaster cannot be found by their folder, they end on their own.
    const orphans = failure.message.includes('pre-existing shared memory block');
    if (!orphans || performance.now() > giveUp) throw failure;
  }
}

/** Does not wait for clients. False if it needs more than 10 s; it then continues in the background. */
export async function stopPostgres(home: PostgresHome, postmaster: number): Promise<boolean> {
  signal(postmaster, 'SIGINT');
  for (const giveUp = performance.now() + 10_000; performance.now() < giveUp; await sleep(10)) {
    if (isAlive(postmaster)) continue;
    fs.rmSync(home.socket, { recursive: true, force: true });
    return true;
  }
  return false;
}

export async function asSuperuser<T>(
  home: PostgresHome,
  use: (client: Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  // Under /tmp anybody could have created this folder and run their own Postgres in it.
  const owner = fs.lstatSync(home.socket).uid;
  if (owner !== (home.runAs.uid ?? process.getuid?.()))
    throw new Error(`${home.socket} belongs to somebody else (uid ${owner})`);
  const client = new Client({
    host: home.socket,
    port,
    user: superuser,
    database,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  // A broken connection also fails its query. Without a listener it would end the process too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

type Answer = 'serves' | 'another cluster' | 'starting' | 'stopping' | { silent: unknown };

async function request(home: PostgresHome): Promise<Answer> {
  try {
    return await asSuperuser(home, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      return isSameFolder(rows[0]?.data_directory ?? '', home.cluster) ? 'serves' : 'another cluster';
    });
  } catch (error) {
    if (!(error instanceof DatabaseError)) return { silent: error };
    // cannot_connect_now, too_many_connections
    if (error.code === '57P03') return error.message.includes('shutting down') ? 'stopping' : 'starting';
    return error.code === '53300' ? 'starting' : { silent: error };
  }
}

/** After kill -9 of the service, Postgres lives on: serving, recovering or stopping. */
async function stillServes(home: PostgresHome): Promise<boolean> {
  // A stop can wait for ever for a busy backend whose client is gone.
  for (const giveUp = performance.now() + 10_000; ; await sleep(50)) {
    const answer = await request(home);
    const wait = answer === 'starting' || (answer === 'stopping' && performance.now() < giveUp);
    if (!wait) return answer === 'serves';
  }
}

async function launch(
  home: PostgresHome,
  binaries: string,
  settings: Record<string, string>,
  onSpawn: (pid: number | undefined) => void,
): Promise<Error | undefined> {
  makeSocketFolder(home);
  if (fs.existsSync(home.log)) fs.renameSync(home.log, `${home.log}.1`);
  const log = fs.openSync(home.log, 'ax', 0o600);
  const values = {
    ...durable,
    ...shortTransactions,
    ...settings,
    listen_addresses: '',
    port: String(port),
    // A list of quoted names: a folder name may contain a comma.
    unix_socket_directories: `"${home.socket.replaceAll('"', '""')}"`,
  };
  const options = Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached, so that Ctrl-C reaches only the service, which stops Postgres last.
  const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', home.cluster, ...options], {
    ...home.runAs,
    cwd: home.cluster,
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  await once(child, 'spawn');
  onSpawn(child.pid);
  child.unref();
  let silentSince = performance.now();
  for (;;) {
    const answer = await request(home);
    if (answer === 'serves') return undefined;
    if (child.exitCode !== null || child.signalCode !== null) return startFailure(home, 'ended');
    if (answer === 'starting' || answer === 'stopping') silentSince = performance.now();
    else if (performance.now() - silentSince > 30_000) return startFailure(home, 'gives no answer', answer);
    await sleep(20);
  }
}

function startFailure(home: PostgresHome, what: string, cause?: unknown): Error {
  const tail = fs.readFileSync(home.log, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  return new Error(`Postgres ${what} at its start. The end of ${home.log}:\n${tail}`, { cause });
}

/** The socket gives access as any role. Recreated, so that no old lock file remains. */
function makeSocketFolder(home: PostgresHome): void {
  fs.rmSync(home.socket, { recursive: true, force: true });
  fs.mkdirSync(home.socket, { mode: 0o700 });
  giveTo(home.runAs, home.socket);
}

function pidFile(home: PostgresHome): string {
  return join(home.cluster, 'postmaster.pid');
}

function postmasterId(home: PostgresHome): number {
  return Number.parseInt(fs.readFileSync(pidFile(home), 'utf8'), 10);
}

function isSameFolder(left: string, right: string): boolean {
  const [first, second] = [left, right].map((path) => fs.statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
