import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { EmbeddedPostgresUnavailable } from '../../server/embedded-postgres/home.ts';
import { migrate } from '../../server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that each service of the tests copies. */
    templateUrl: string;
    /** Removed after the run. */
    folder: string;
  }
}

/** The Postgres of TEST_POSTGRES_URL, or an embedded one without fsync, deleted after the run. */
export default async function setup(project: TestProject) {
  const postgres = process.env.TEST_POSTGRES_URL
    ? { url: process.env.TEST_POSTGRES_URL, stop: async () => {} }
    : await startTemporaryPostgres().catch(sayUnavailable);
  await migrate(postgres.url);
  project.provide('templateUrl', postgres.url);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-tests-'));
  project.provide('folder', folder);
  return async () => {
    await rm(folder, { recursive: true, force: true });
    await postgres.stop();
  };
}

/** Vitest would show a stack trace. */
function sayUnavailable(error: unknown): never {
  if (!(error instanceof EmbeddedPostgresUnavailable)) throw error;
  const action = 'Set TEST_POSTGRES_URL to one of your own, 15 or newer, whose user may create databases.';
  process.stderr.write(`${error.reason} ${action}\n`);
  process.exit(1);
}

/** For hundreds of copied databases: autovacuum would start a process for each, again and again. */
const settings = {
  fsync: 'off',
  autovacuum: 'off',
  file_copy_method: 'clone',
  max_connections: '200',
};

export async function startTemporaryPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  const postgres = await startEmbeddedPostgres(folder, () => {}, settings);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      // For root the data may be outside the folder, where the user of the database can read it.
      for (const path of [postgres.directory, folder]) await rm(path, { recursive: true, force: true });
    },
  };
}
