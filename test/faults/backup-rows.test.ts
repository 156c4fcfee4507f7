import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../cli/run.ts';
import { migrate } from '../../server/db/migrate.ts';
import { adoptStorage } from '../../server/files/installation.ts';
import { runToEnd } from '../support/command-line.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { createWorld } from '../support/every-endpoint.ts';
import { fillByRequests } from '../support/every-table.ts';
import { environment } from '../support/harness.ts';
import { pastWork, writeFolder } from '../support/past-work.ts';
import { rowsOfNoRequest } from '../support/rows-of-no-request.ts';
import { queryAt } from './postgres.ts';
import { openFolder, removeFolder } from './process.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => void (folder = await openFolder()));
afterEach(() => removeFolder(folder));

/** What `restore --moved` changes: columns that it writes, or rows that it adds, and why. */
const changed: Record<string, { columns?: string[]; added?: string; why: string }> = {
  account_counters: { columns: ['last_event'], why: 'each log skips a million numbers, which clients may have read' },
  events: { added: `type = 'feed.restarted'`, why: 'each log says that it starts again' },
  installation: {
    columns: ['id', 'nonce', 'previous_nonce', 'database', 'created_at', 'sweeps_halted_until'],
    why: 'in another database it is another installation, whose storage may have files without a row',
  },
};

type Content = { rows: number; hash: string };

/** Number and hash of the rows of each table, with generated columns, and the last number of each sequence. */
async function contentsAt(url: string, without: typeof changed = {}): Promise<Record<string, Content>> {
  const tables = await queryAt<{ name: string }>(
    url,
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`,
  );
  const contents: Record<string, Content> = {};
  for (const { name } of tables) {
    const { columns = [], added = 'false' } = without[name] ?? {};
    const [content] = await queryAt<Content>(
      url,
      `select count(*)::int as rows, md5(string_agg(row, '' order by row)) as hash from (
         select (to_jsonb(t) - '{${columns.join()}}'::text[])::text as row from "${name}" t where not (${added})) r`,
    );
    contents[name] = content!;
  }
  const sequences = await queryAt<{ name: string; hash: string }>(
    url,
    `select sequencename as name, last_value::text as hash from pg_sequences where schemaname = current_schema()`,
  );
  for (const { name, hash } of sequences) contents[name] = { rows: 1, hash };
  return contents;
}

test('every row of every table is the same after a restore, but for what a restore changes on purpose', async () => {
  const postgres = await startDebianPostgres(15);
  await queryAt(postgres.url, 'create database other');
  await migrate(postgres.url);
  const storage = (name: string) => ({ STORAGE_URL: `file:${join(folder, name)}` });
  const world = await createWorld(storage('files'), { databaseUrl: postgres.url });
  await adoptStorage(world.service.context);
  const past = pastWork();
  writeFolder(join(folder, 'past'), past);
  const from = { ...environment, DATABASE_URL: postgres.url, DATA_DIR: folder, ...storage('files') };
  const to = { ...from, DATABASE_URL: postgres.url.replace('/atelier?', '/other?'), ...storage('other') };
  const succeed = async (env: typeof from, ...words: string[]): Promise<string> => {
    const { code, out, err } = await runToEnd(run, words, { env });
    expect(code, out + err).toBe(0);
    return out;
  };
  await succeed(from, 'import', join(folder, 'past'));
  await fillByRequests(world);
  await world.service.close();
  for (const statement of Object.values(rowsOfNoRequest)) await queryAt(postgres.url, statement);

  const before = await contentsAt(postgres.url);
  const empty = Object.entries(before).filter(([, { rows }]) => rows === 0);
  expect(
    empty.map(([table]) => table),
    'a new table: write a row of it above',
  ).toEqual([]);
  const comparable = await contentsAt(postgres.url, changed);
  await succeed(from, 'backup', join(folder, 'backup'));
  expect(await succeed(to, 'restore', join(folder, 'backup'), '--moved')).toContain('no contradiction');

  const after = await contentsAt(to.DATABASE_URL);
  const differing = Object.keys(before).filter((name) => after[name]?.hash !== before[name]?.hash);
  expect(differing).toEqual(Object.keys(changed));
  expect(await contentsAt(to.DATABASE_URL, changed)).toEqual(comparable);

  // A past customer is still known by the id of the other system.
  const [bakery] = past.customers;
  const accounts = async () =>
    queryAt<{ id: string; name: string }>(
      to.DATABASE_URL,
      `select a.id, a.name from accounts a join imported_rows r on r.row_id = a.id and r.kind = 'customer' order by a.id`,
    );
  const imported = await accounts();
  expect(await succeed(to, 'import', join(folder, 'past'))).toContain('Imported 0 customers, 3 unchanged');
  const corrected = imported.map((row) => ({ ...row, name: row.name === bakery!.name ? 'Rise Bakery' : row.name }));
  bakery!.name = 'Rise Bakery';
  writeFolder(join(folder, 'past'), past);
  expect(await succeed(to, 'import', join(folder, 'past'))).toContain('Imported 1 customer, 2 unchanged');
  expect(await accounts()).toEqual(corrected);
  expect(await succeed(to, 'check', '--files')).toContain('no contradiction');
  await postgres.stop();
});
