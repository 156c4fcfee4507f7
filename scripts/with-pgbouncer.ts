import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { sessionSettings } from '../server/db/pool.ts';
import { patience } from '../test/support/patience.ts';
import { startPgBouncer } from '../test/support/pgbouncer.ts';
import { startTemporaryPostgres } from '../test/support/postgres.ts';

/**
 * `npm run test:pooler` runs the tests of poolers and some journeys through PgBouncer in transaction mode:
 * that of PGBOUNCER or of the PATH. Debian has one that is new enough from trixie on.
 */

const oldest = [1, 21] as const;
const program = process.env.PGBOUNCER || 'pgbouncer';

function fail(reason: string): never {
  process.stderr.write(
    `${reason} The tests of poolers need PgBouncer ${oldest.join('.')} or newer: name the program in PGBOUNCER, or install the package of Debian trixie or newer.\n`,
  );
  process.exit(1);
}

const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
if (error) fail(`${program} does not start (${error.message}).`);
const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? fail(`${program} does not say its version.`);
if (Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]))
  fail(`${program} is ${major}.${minor}, which has no named statements in transaction mode.`);

const postgres = await startTemporaryPostgres();
await setRole(postgres.url);
const pooler = await startPgBouncer(program, postgres.url);
const env = { ...process.env, PGBOUNCER: program, TEST_POSTGRES_URL: postgres.url, TEST_POOLER_URL: pooler.url };
const { status } = spawnSync('vitest', ['run', '--project', 'pooler', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
});
await pooler.stop();
await postgres.stop();
process.exitCode = status ?? 1;

/** Through a pooler no settings are sent: the role has them, for each database that a test makes. */
async function setRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace('//atelier@', '//postgres@') });
  await client.connect();
  for (const [name, value] of Object.entries(sessionSettings('public', patience.database)))
    await client.query(`alter role atelier set ${name} = '${value}'`);
  await client.end();
}
