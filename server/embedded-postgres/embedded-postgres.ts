import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSchema, unfinishedRestore } from '../db/pool.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { placedMark } from './copy-cluster.ts';
import { endWithUs } from './end-with-us.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { findHome, installedBinaries, type PostgresHome } from './home.ts';
import { isAlive } from './orphans.ts';
import { asSuperuser, port, runPostgres, stopPostgres } from './process.ts';

const role = 'atelier';
const database = 'atelier';

export { EmbeddedPostgresUnavailable } from './home.ts';

export type EmbeddedPostgres = {
  url: string;
  /** Holds the cluster, its log (postgres.log) and perhaps a copy of the binaries. */
  directory: string;
  /** Stops Postgres, waiting at most 10 s, and frees `dataDir` for another service. */
  stop(): Promise<void>;
};

/**
 * Starts or adopts the Postgres 18 under `dataDir`, keeps it running until `stop`, and creates the role and
 * database of the service. `print` prints one line to the operator.
 * Throws EmbeddedPostgresUnavailable, naming DATABASE_URL, if the platform has no binary. Throws another
 * Error if another service uses `dataDir` (with its process id) or Postgres does not start (with the end of
 * its log).
 * `settings` are Postgres settings for tests that may lose data; the default never loses a commit.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  print: (line: string) => void,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const installed = installedBinaries();
  makeFolder(dataDir);
  const folder = realpathSync(dataDir);
  const locks = [lockFolder(folder)];
  try {
    const home = findHome(folder, print);
    // A copy of DATA_DIR may point to the same home.
    locks.push(lockFolder(home.directory));
    const postmaster: Postmaster = { pid: undefined };
    const endWatch = endWithUs(home, () => postmaster.pid);
    locks.push(endWatch);
    const run = async () => {
      const running = await runPostgres(home, installed, settings, (pid) => (postmaster.pid = pid));
      postmaster.pid = running;
    };
    await run();
    await createDatabase(home);
    await markPlaced(home);
    const stopRunning = keepRunning(home, postmaster, run, print);
    let stopped: Promise<void> | undefined;
    return {
      url: urlOf(home),
      directory: home.directory,
      stop: () => (stopped ??= stopRunning().finally(() => locks.forEach((unlock) => unlock()))),
    };
  } catch (error) {
    locks.forEach((unlock) => unlock());
    throw error;
  }
}

type Postmaster = { pid: number | undefined };

const urlOf = ({ socket }: PostgresHome) =>
  `postgres://${role}@localhost:${port}/${database}?host=${encodeURIComponent(socket)}&sslmode=disable`;

/** Whether this is the URL of the embedded Postgres that `npm run dev` starts for the service. */
export const isEmbedded = (url: string) => url.startsWith(`postgres://${role}@localhost:${port}/${database}?host=%2F`);

/** Uses the Postgres of a running service, which `stop` leaves running, or starts one. */
export async function joinEmbeddedPostgres(dataDir: string, print: (line: string) => void): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(dataDir, print).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error;
    const home = findHome(realpathSync(dataDir), () => {});
    return { url: urlOf(home), directory: home.directory, stop: async () => {} };
  });
}

/** The role is not a superuser, as with hosted Postgres: anything that needs one should fail here first. */
async function createDatabase(home: PostgresHome): Promise<void> {
  await asSuperuser(home, async (client) => {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (roles === 0) await client.query(`create role ${role} login createdb`);
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [database]);
    if (databases === 0) await client.query(`create database ${database} owner ${role}`);
  });
}

/** What refuses a half-restored database looks for a schema. `finishRestore` drops it. */
async function markPlaced(home: PostgresHome): Promise<void> {
  const mark = join(home.cluster, placedMark);
  if (!existsSync(mark)) return;
  const statement = `create schema if not exists ${unfinishedRestore(defaultSchema)} authorization ${role}`;
  await asSuperuser(home, (client) => client.query(statement), database);
  rmSync(mark);
}

/** Restarts Postgres whenever it is gone, at the same URL, until the returned function is called. */
function keepRunning(
  home: PostgresHome,
  postmaster: Postmaster,
  run: () => Promise<void>,
  print: (line: string) => void,
): () => Promise<void> {
  let restart: Promise<void> | undefined;
  let notBefore = 0; // monotonic clock
  const watch = setInterval(() => {
    if (restart !== undefined || performance.now() < notBefore || isAlive(postmaster.pid ?? 0)) return;
    print('Postgres ended unexpectedly; starting it again.');
    restart = run()
      .catch((error: unknown) => {
        notBefore = performance.now() + 10_000;
        print(`${error instanceof Error ? error.message : String(error)}\nThe next try is in 10 seconds.`);
      })
      .finally(() => (restart = undefined));
  }, 500).unref();
  return async () => {
    clearInterval(watch);
    await restart;
    if (postmaster.pid !== undefined && !(await stopPostgres(home, postmaster.pid)))
      print('Postgres needs longer to stop and continues in the background.');
  };
}
