import { spawnSync } from 'node:child_process';
import { startDebianPostgres } from '../test/support/debian-postgres.ts';

/** `npm run test:postgres15` runs the journeys on the oldest Postgres that the service supports. */

const missing = (error: Error) => {
  process.stderr.write(`Postgres 15 of Debian does not start. Is postgresql-15 installed? (${error.message})\n`);
  process.exit(1);
};
const postgres = await startDebianPostgres(15).catch(missing);
const env = { ...process.env, TEST_POSTGRES_URL: postgres.url };
const { status } = spawnSync('vitest', ['run', '--project', 'postgres15'], { env, stdio: 'inherit' });
await postgres.stop();
process.exitCode = status ?? 1;
