import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { environment, superuser } from '../../server/embedded-postgres/cluster.ts';
import { findHome } from '../../server/embedded-postgres/home.ts';

/** A temporary Postgres of Debian's package, without fsync. Unlike the embedded one it sorts by ICU. */
export async function startDebianPostgres(version: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'atelier-debian-')));
  await chmod(folder, 0o711);
  const { directory, cluster, runAs } = findHome(folder, () => {});
  if (runAs.uid !== undefined) execFileSync('chown', [String(runAs.uid), directory]);
  const program = (name: string) => `/usr/lib/postgresql/${version}/bin/${name}`;
  const options = { ...runAs, cwd: directory, env: environment };
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
  execFileSync(program('initdb'), ['-D', cluster, '-U', superuser, '--auth=trust', ...locale], options);
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off', 'max_connections=200'];
  const server = spawn(program('postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const urlOf = (role: string, database: string) =>
    `postgres://${role}@localhost:5432/${database}?host=${encodeURIComponent(directory)}&sslmode=disable`;
  const client = await connect(urlOf(superuser, 'postgres'));
  await client.query('create role atelier login createdb');
  await client.query('create database atelier owner atelier');
  await client.end();
  return {
    url: urlOf('atelier', 'atelier'),
    async stop() {
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server accepts connections. */
async function connect(url: string): Promise<pg.Client> {
  for (const giveUp = performance.now() + 30_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (performance.now() > giveUp) throw error;
    }
  }
}
