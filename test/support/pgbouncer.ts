import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findHome } from '../../server/embedded-postgres/home.ts';
import { freePort } from '../faults/process.ts';

export type PgBouncer = { url: string; stop(): Promise<void> };

/** PgBouncer in transaction mode before all databases of a server. `settings` are further ones of its own. */
export async function startPgBouncer(program: string, databaseUrl: string, settings = ''): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-pgbouncer-'));
  await chmod(folder, 0o755);
  const { username, port, pathname, searchParams } = new URL(databaseUrl);
  const [listens, file, users] = [await freePort(), join(folder, 'pgbouncer.ini'), join(folder, 'users')];
  await writeFile(users, `"${username}" ""\n`);
  await writeFile(
    file,
    `[databases]
* = host=${searchParams.get('host')} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 500
default_pool_size = 4
max_client_conn = 500
server_idle_timeout = 5
admin_users = ${username}
${settings}
`,
  );
  // It refuses to run as root, as Postgres does.
  const { runAs } = findHome(folder, () => {});
  const child = spawn(program, ['-q', file], { ...runAs, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const url = `postgres://${username}@127.0.0.1:${listens}${pathname}`;
  await untilAnswers(url);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  for (const giveUp = performance.now() + 20_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > giveUp) throw error;
    }
  }
}
