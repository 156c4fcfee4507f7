import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnavailable, giveTo, syncFolder, type PostgresHome } from './home.ts';
import { endProcessesIn } from './orphans.ts';

export const superuser = 'postgres';

// An empty environment: PG* variables would change Postgres, and it must not see secrets.
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Renamed when complete, so that the final name always means a complete cluster. */
export async function createCluster(home: PostgresHome, binaries: string): Promise<void> {
  for (const name of fs.readdirSync(home.directory)) {
    if (!name.startsWith('cluster.unfinished-')) continue;
    await endProcessesIn(join(home.directory, name), home.runAs);
    fs.rmSync(join(home.directory, name), { recursive: true });
  }
  const unfinished = fs.mkdtempSync(`${home.cluster}.unfinished-`);
  giveTo(home.runAs, unfinished);
  const options = ['-D', unfinished, '-U', superuser, '--auth-local=trust', '--auth-host=reject'];
  // Without this the default would be SQL_ASCII.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = join(binaries, 'bin', 'initdb');
  try {
    await promisify(execFile)(initdb, [...options, ...locale], {
      ...home.runAs,
      cwd: unfinished,
      env: environment,
    });
  } catch (error) {
    // The file exists but a library it needs does not: Alpine.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new EmbeddedPostgresUnavailable(`This system cannot run ${initdb}.`);
    }
    throw error;
  }
  fs.renameSync(unfinished, home.cluster);
  // Otherwise a power cut could bring back the unfinished name, and the removal above with it.
  syncFolder(home.directory);
}
