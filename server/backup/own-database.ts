import { join } from 'node:path';
import { sql } from 'kysely';
import { type Db, schemaOf } from '../db/pool.ts';
import { Servers } from '../db/servers.ts';
import { databaseIdentity } from '../files/installation.ts';
import type { Manifest } from './manifest.ts';
import type { PartReader, PartWriter } from './parts.ts';
import { findPrograms, runProgram } from './postgres-programs.ts';
import { Unusable } from './unusable.ts';

const dump = 'database.dump';

/** `bin`: where pg_dump and pg_restore are, or null to look for them. */
export type Own = { url: string; db: Db; bin: string | null };

/** `database`: its identity. A new one with the same name has another. */
type ServerFacts = { version: number; role: string; may_create: boolean; database: string };

export async function readServer(db: Db): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int / 10000 as version, current_user as role,
      rolcreatedb or rolsuper as may_create, ${databaseIdentity} as database
    from pg_roles where rolname = current_user`.execute(db);
  if (!rows[0]) throw new Error('The server does not say what it is.');
  return rows[0];
}

export async function dumpOwn({ url, db, bin }: Own, parts: PartWriter): Promise<void> {
  const programs = await findPrograms(bin, (await readServer(db)).version);
  // Others may share the database.
  const options = ['--format=custom', `--schema=${schemaOf(url)}`];
  await runProgram(join(programs, 'pg_dump'), Servers.of(url).next, options, {
    use: (output) => parts.write(dump, output),
  });
}

export async function refuseTables({ url, db }: Pick<Own, 'url' | 'db'>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schemaOf(url)} and c.relkind in ('r', 'p', 'v', 'm', 'S') limit 1`.execute(db);
  if (rows[0])
    throw new Unusable(
      `The database is not empty: it has ${rows[0].name}.`,
      'Name an empty database in DATABASE_URL, or an unused schema in DATABASE_SCHEMA.',
    );
}

/** The schema and the role are in the dump, the rights of its tables among them. */
export async function restoreOwn({ url, db, bin }: Own, parts: PartReader, from: Manifest['postgres']) {
  const server = await readServer(db);
  if (server.version < from.version)
    throw new Unusable(`The backup is of Postgres ${from.version}, newer than this server.`, 'Use a server as new.');
  if (server.role !== from.role)
    throw new Unusable(
      `The rights in the backup name the role ${from.role}, and DATABASE_URL names ${server.role}.`,
      `Connect as ${from.role}; create it if it is missing.`,
    );
  const schema = schemaOf(url);
  if (schema !== from.schema)
    throw new Unusable(`The backup is of the schema ${from.schema}.`, `Set DATABASE_SCHEMA=${from.schema}.`);
  const programs = await findPrograms(bin, server.version);
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  const options = ['--no-owner', '--exit-on-error', '--single-transaction', `--schema=${schema}`];
  await runProgram(join(programs, 'pg_restore'), Servers.of(url).next, options, { input: await parts.read(dump) });
}
