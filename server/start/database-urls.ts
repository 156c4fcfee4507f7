import { urlOfSchema } from '../db/pool.ts';
import { databaseUrlProblem } from '../db/servers.ts';
import type { Environment } from './environment.ts';

export type DatabaseUrls = {
  /** Null: the embedded Postgres under `dataDir`. */
  databaseUrl: string | null;
  /** Postgres itself where `databaseUrl` is a pooler: for migrations, the listener and the queue. */
  databaseDirectUrl: string | null;
};

/** With the schema of the installation, which its connections look for tables in. */
export function readDatabaseUrls(env: Environment): DatabaseUrls {
  const schema = env.text('DATABASE_SCHEMA');
  const [databaseUrl, databaseDirectUrl] = [
    readUrl(env, 'DATABASE_URL', schema),
    readUrl(env, 'DATABASE_DIRECT_URL', schema),
  ];
  const isNamed = databaseUrl !== null || databaseDirectUrl === null;
  env.check('DATABASE_DIRECT_URL', isNamed, 'needs DATABASE_URL, the address of the pooler.');
  if (schema === null) return { databaseUrl, databaseDirectUrl };
  const usable = /^[a-z][a-z0-9_]{0,40}$/.test(schema) && !schema.startsWith('pg_') && schema !== 'information_schema';
  env.check(
    'DATABASE_SCHEMA',
    usable,
    'must be 1 to 41 lower-case letters, digits and _, beginning with a letter other than pg_.',
  );
  env.check('DATABASE_SCHEMA', databaseUrl !== null, 'needs DATABASE_URL.');
  return { databaseUrl, databaseDirectUrl };
}

function readUrl(env: Environment, name: string, schema: string | null): string | null {
  const url = env.text(name);
  const problem = url === null ? null : databaseUrlProblem(url);
  env.check(name, problem === null, problem ?? '');
  env.check(name, !/[?&]schema=/.test(url ?? ''), 'names a schema: set DATABASE_SCHEMA instead.');
  return url && schema ? urlOfSchema(url, schema) : url;
}
