import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Unusable } from './unusable.ts';

const debian = '/usr/lib/postgresql';

function foldersOf(bin: string | null): string[] {
  if (bin !== null) return [bin];
  const majors = existsSync(debian) ? readdirSync(debian) : [];
  return [...(process.env['PATH'] ?? '').split(delimiter), ...majors.map((major) => join(debian, major, 'bin'))];
}

/** The folder whose programs are nearest to the server: its version, else the next newer one. */
export async function findPrograms(bin: string | null, server: number): Promise<string> {
  const versions = new Map<string, number>();
  for (const folder of foldersOf(bin)) {
    const program = join(folder, 'pg_dump');
    if (!existsSync(program) || !existsSync(join(folder, 'pg_restore'))) continue;
    const { stdout } = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
    versions.set(folder, Number(/ (\d+)/.exec(stdout)?.[1] ?? 0));
  }
  const usable = [...versions].filter(([, version]) => version >= server);
  const [best] = usable.toSorted(([, left], [, right]) => left - right);
  if (best) return best[0];
  const newest = Math.max(...versions.values());
  const state = versions.size === 0 ? 'are not here' : `of Postgres ${newest} are older than the server`;
  throw new Unusable(
    `pg_dump and pg_restore ${state}; the server is Postgres ${server}.`,
    `Install the package postgresql-client-${server}, or name the folder of both programs in POSTGRES_BIN.`,
  );
}

/** libpq reads the password from the environment, so that no list of processes shows it. */
function connectionOf(url: string): { address: string; env: NodeJS.ProcessEnv } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  for (const ours of ['schema', 'uselibpqcompat']) address.searchParams.delete(ours);
  const { PATH, HOME } = process.env;
  return { address: address.href, env: { PATH, HOME, ...(password === '' ? {} : { PGPASSWORD: password }) } };
}

/** Runs a program of Postgres on the database of `url`. It gets `input`, and its output goes to `use`. */
export async function runProgram(
  program: string,
  url: string,
  options: readonly string[],
  { input, use }: { input?: Readable; use?: (output: Readable) => Promise<void> },
): Promise<void> {
  const { address, env } = connectionOf(url);
  const child = spawn(program, [`--dbname=${address}`, '--no-password', ...options], { env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  // A program that ends early closes its input; its exit code says why.
  child.stdin.on('error', () => {});
  if (input) {
    input.on('error', (error) => child.stdin.destroy(error));
    input.pipe(child.stdin);
  } else child.stdin.end();
  if (use) await use(child.stdout);
  else child.stdout.resume();
  const code = await ended;
  if (input?.errored) throw input.errored;
  if (code === 0) return;
  throw new Unusable(`${program} failed: ${said.trim().slice(-2_000)}`, 'See docs/operations/back-up.md.');
}
