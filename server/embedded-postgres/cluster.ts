import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnavailable, giveTo, syncFolder, type PostgresHome } from './home.ts';
import { endProcessesIn } from './orphans.ts';

export const superuser = 'postgres';

// Nothing of the service's environment: PG* variables would change Postgres, and secrets are not its business.
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Builds the cluster under another name and renames it when done: under its own name it is always a finished one. */
export async function createCluster(home: PostgresHome, binaries: string): Promise<void> {
  for (const name of fs.readdirSync(home.directory)) {
    if (!name.startsWith('cluster.unfinished-')) continue;
    await endProcessesIn(join(home.directory, name), home.runAs);
    fs.rmSync(join(home.directory, name), { recursive: true });
  }
  const unfinished = fs.mkdtempSync(`${home.cluster}.unfinished-`);
  giveTo(home.runAs, unfinished);
  const options = ['-D', unfinished, '-U', superuser, '--auth-local=trust', '--auth-host=reject'];
  // Without LANG the default would be SQL_ASCII.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = join(binaries, 'bin', 'initdb');
  try {
    await promisify(execFile)(initdb, [...options, ...locale], {
      ...home.runAs,
      cwd: unfinished,
      env: environment,
    });
  } catch (error) {
    // The file is there, but not what it is linked with: Alpine.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new EmbeddedPostgresUnavailable(`This system cannot run ${initdb}.`);
    }
    throw error;
  }
  fs.renameSync(unfinished, home.cluster);
  // Else a power cut could bring the unfinished name back, and with it the removal above.
  syncFolder(home.directory);
}
