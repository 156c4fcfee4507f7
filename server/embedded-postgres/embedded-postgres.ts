import { mkdirSync, realpathSync } from 'node:fs';
import { endWithUs } from './end-with-us.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { findHome, installedBinaries, type PostgresHome } from './home.ts';
import { isAlive } from './orphans.ts';
import { asSuperuser, port, runPostgres, stopPostgres } from './process.ts';

const role = 'atelier';
const database = 'atelier';

export { EmbeddedPostgresUnavailable } from './home.ts';

export type EmbeddedPostgres = {
  /** For node-postgres: role and database `atelier`, over a Unix socket that only this user reaches. */
  url: string;
  /** Where the cluster, its log (postgres.log) and perhaps a copy of the binaries are. */
  directory: string;
  /** Ends Postgres (10 s at most, the rest goes on by itself) and frees `dataDir` for another service. */
  stop(): Promise<void>;
};

/**
 * Starts (or adopts) the Postgres 18 that lives under `dataDir`, keeps it running until `stop`, and makes the role and
 * the database that the service uses. `say` prints one line to the operator. Throws EmbeddedPostgresUnavailable, with a
 * message that names DATABASE_URL, where the platform has no binary; another Error where `dataDir` is in use by another
 * service (with its process id) or Postgres does not start (with the end of its log).
 * `settings` are Postgres's own, for tests that can lose their data; the default never loses a commit.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  say: (line: string) => void,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const installed = installedBinaries();
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const locks = [lockFolder(folder)];
  try {
    const home = findHome(folder, say);
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
    const stopRunning = keepRunning(home, postmaster, run, say);
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

/** The process that serves, once it is known. */
type Postmaster = { pid: number | undefined };

const urlOf = ({ socket }: PostgresHome) =>
  `postgres://${role}@localhost:${port}/${database}?host=${encodeURIComponent(socket)}&sslmode=disable`;

/** Whether this is the url of an embedded Postgres, which `npm run dev` starts and hands to the service. */
export const isEmbedded = (url: string) => url.startsWith(`postgres://${role}@localhost:${port}/${database}?host=%2F`);

/** For a command beside the service: the Postgres of the service that runs, which `stop` leaves alone, else one as above. */
export async function joinEmbeddedPostgres(dataDir: string, say: (line: string) => void): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(dataDir, say).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error;
    const home = findHome(realpathSync(dataDir), () => {});
    return { url: urlOf(home), directory: home.directory, stop: async () => {} };
  });
}

/** The service is no superuser, as with a hosted Postgres: what needs one should fail here first. */
async function createDatabase(home: PostgresHome): Promise<void> {
  await asSuperuser(home, async (client) => {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (roles === 0) await client.query(`create role ${role} login createdb`);
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [database]);
    if (databases === 0) await client.query(`create database ${database} owner ${role}`);
  });
}

/** Starts Postgres again whenever it is gone, at the same url, until the answered function is called. */
function keepRunning(
  home: PostgresHome,
  postmaster: Postmaster,
  run: () => Promise<void>,
  say: (line: string) => void,
): () => Promise<void> {
  let restart: Promise<void> | undefined;
  let notBefore = 0; // by a clock that does not jump
  const watch = setInterval(() => {
    if (restart !== undefined || performance.now() < notBefore || isAlive(postmaster.pid ?? 0)) return;
    say('Postgres ended by itself; starting it again.');
    restart = run()
      .catch((error: unknown) => {
        notBefore = performance.now() + 10_000;
        say(`${error instanceof Error ? error.message : String(error)}\nThe next try is in 10 seconds.`);
      })
      .finally(() => (restart = undefined));
  }, 500).unref();
  return async () => {
    clearInterval(watch);
    await restart;
    if (postmaster.pid !== undefined && !(await stopPostgres(home, postmaster.pid)))
      say('Postgres needs longer to stop; it goes on by itself.');
  };
}
