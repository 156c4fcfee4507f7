import { readConfig } from './config.ts';
import { openDb } from './kit/db.ts';
import { startEmbeddedPostgres } from './kit/embedded-postgres.ts';
import { migrate } from './kit/migrate.ts';

/** `npm run db:migrate`: brings the database of the configuration up to date and ends. The start does the same. */
const config = readConfig(process.env);
const postgres = config.databaseUrl === null ? await startEmbeddedPostgres(config.dataDir, console.log) : null;
const db = openDb(postgres?.url ?? config.databaseUrl ?? '', 1, () => {});
const done = await migrate(db);
console.log(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'Nothing to migrate.');
await db.destroy();
await postgres?.stop();
