import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The embedded Postgres under the folder of one service: never the one that all tests share. */
const socketOf = (folder: string) => join(folder, 'postgres', 'socket');

export const urlOf = (folder: string, role = 'atelier', database = 'atelier') =>
  `postgres://${role}@localhost:5432/${database}?host=${encodeURIComponent(socketOf(folder))}&sslmode=disable`;

/** The postmaster, if one runs. */
export function postmasterOf(folder: string): number | null {
  const file = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

/** Sends a signal to the postmaster and all its children, in this order, so that it makes no new ones meanwhile. */
export function signalPostgres(folder: string, name: NodeJS.Signals): void {
  const postmaster = postmasterOf(folder);
  if (postmaster === null) throw new Error('Postgres does not run.');
  const children = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
  const first = name === 'SIGCONT' ? [] : [postmaster];
  const last = name === 'SIGCONT' ? [postmaster] : [];
  const pids = children.stdout.split('\n').filter((line) => line !== '');
  for (const pid of [...first, ...pids.map(Number), ...last]) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
}

/** The rows of one statement, in any database. */
export async function queryAt<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A connection beside the service, as superuser; without the limits that the service puts on itself, and writing where nobody else may. */
export async function connect(folder: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlOf(folder, 'postgres'),
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The rows of one statement, as superuser. */
// The caller knows its own statement.
// oxlint-disable-next-line typescript/no-explicit-any
export async function ask(folder: string, statement: string, values: unknown[] = []): Promise<any[]> {
  const client = await connect(folder);
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
