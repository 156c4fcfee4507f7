import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bundleServer } from '../scripts/bundle.ts';
import { bundle } from '../web/build/fingerprint.ts';

export type Service = {
  origin: string;
  pid: number;
  postmaster: number;
  databaseUrl: string;
  /** The folder with Postgres's Unix socket. */
  socket: string;
  folder: string;
  database: pg.Pool;
  close(): Promise<void>;
};

const root = join(import.meta.dirname, '..');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Rates that a benchmark cannot exhaust. */
const endlessRates = {
  RATE_REQUEST: 'credential=100000000/60',
  RATE_READ_PUBLIC: 'address=100000000/60',
  RATE_CREATE_JOB: 'account=100000000/60,key=100000000/60',
  RATE_BAD_CREDENTIAL: 'address=100000000/60',
  RATE_READ_EVENTS: 'key=100000000/60',
  RATE_OPEN_STREAM: 'account=100000000/60,key=100000000/60',
  RATE_SEND_MESSAGE: 'account=100000000/60,key=100000000/60',
  RATE_MCP_CALL: 'key=100000000/60',
};

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  // Postgres does not run as root and must be able to enter.
  await chmod(folder, 0o711);
  await cp(join(root, 'catalog'), join(folder, 'catalog'), { recursive: true });
  const plans = await readFile(join(folder, 'catalog/plans.yaml'), 'utf8');
  const endless = plans.replaceAll(/(quota|concurrency_limit): \d+/g, '$1: 100000000');
  await writeFile(join(folder, 'catalog/plans.yaml'), endless);
  return folder;
}

/** Starts the service like `npm start` and waits until it is ready. */
export async function startProcess(folder: string, settings: Record<string, string> = {}) {
  const port = await freePort();
  if (bundle.state() !== 'current') await bundleServer();
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'deploy/start.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      MALLOC_TRIM_THRESHOLD_: '131072',
      DATA_DIR: folder,
      CATALOG_DIR: join(folder, 'catalog'),
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...endlessRates,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (said += part));
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode} before it was ready.`);
    await sleep(20);
  }
  return { origin, pid: child.pid ?? 0, said: () => said, stop: () => stop(child) };
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Runs `use` with a service and a database of its own, then removes both. */
export async function withService<T>(use: (service: Service) => Promise<T>, settings = {}): Promise<T> {
  const service = await startService(settings);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const folder = await newFolder();
  const { origin, pid, stop } = await startProcess(folder, settings);
  const socket = join(folder, 'postgres/socket');
  const databaseUrl = `postgres://atelier@localhost/atelier?host=${encodeURIComponent(socket)}`;
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
  const close = async () => {
    await database.end();
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { origin, pid, postmaster, databaseUrl, socket, folder, database, close };
}
