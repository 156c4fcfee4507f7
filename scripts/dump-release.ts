import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { migrationNames } from '../server/db/migration-files.ts';
import { startEmbeddedPostgres } from '../server/embedded-postgres/embedded-postgres.ts';
import { secretKey } from '../test/upgrade/versions.ts';
import { withDemoService } from './demo-service.ts';
import { story } from './demo-story.ts';

/**
 * `node scripts/dump-release.ts FILE` runs the demo on the current schema and writes its rows as SQL, to be
 * inserted into the schema of the migrations that the first line names.
 */
const [, , file] = process.argv;
if (file === undefined) throw new Error('Name the file to write.');

type Table = { name: string; columns: string[] };

/** A table comes after those that it refers to. */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers: string[] }>(`
    select c.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select distinct confrelid::regclass::text from pg_constraint
        where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as refers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('kysely_migration', 'kysely_migration_lock', 'migration_checksums')
    order by c.relname`);
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const placed = new Set(ordered.map(({ name }) => name));
    const next = rows.filter(({ name, refers }) => !placed.has(name) && refers.every((other) => placed.has(other)));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    ordered.push(...next);
  }
  return ordered;
}

async function insertOf(client: pg.Client, { name, columns }: Table): Promise<string> {
  const { rows } = await client.query<{ row: string }>(
    `select row_to_json(t)::text as row from (select ${columns.join(', ')} from ${name}) t`,
  );
  if (rows.length === 0) return '';
  const list = columns.join(', ');
  // Migrations fill this table, and its row is another in each database.
  const emptied = name === 'installation' ? 'delete from installation;\n' : '';
  return (
    `${emptied}insert into ${name} (${list}) overriding system value\n` +
    `select ${list} from json_populate_recordset(null::${name}, $rows$[\n${rows.map(({ row }) => row).join(',\n')}\n]$rows$);\n`
  );
}

process.env['SECRET_KEY'] = secretKey;
await withDemoService(story, async (folder) => {
  const postgres = await startEmbeddedPostgres(folder, () => {});
  const client = new pg.Client(postgres.url);
  await client.connect();
  const parts: string[] = [];
  for (const table of await readTables(client)) parts.push(await insertOf(client, table));
  await client.end();
  await postgres.stop();
  writeFileSync(file, `-- ${(await migrationNames()).join(' ')}\n${parts.join('')}`);
});
