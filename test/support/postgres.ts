import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createDb } from '../../server/db/pool.ts';
import { startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that each test file copies. */
    templateUrl: string;
  }
}

/** One embedded Postgres for the whole run, without fsync, deleted at the end. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  const postgres = await startEmbeddedPostgres(folder, () => {}, { fsync: 'off', max_connections: '200' });
  const db = createDb(postgres.url, 1, () => {});
  await migrate(db);
  await db.destroy();
  project.provide('templateUrl', postgres.url);
  return async () => {
    await postgres.stop();
    // For root the data may be outside the folder, where the user of the database can read it.
    for (const path of [postgres.directory, folder]) await rm(path, { recursive: true, force: true });
  };
}
