import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { asRefusal } from '../http/failure.ts';
import { createDb } from './pool.ts';

type Tables = { thing: { id: number } };

let service: Service;
let db: Kysely<Tables>;
beforeAll(async () => {
  service = await createService();
  db = createDb(service.databaseUrl, 1, () => {}) as unknown as Kysely<Tables>;
  await sql`create table thing (id integer primary key)`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await service.close();
});

const find = (id: number) => db.selectFrom('thing').selectAll().where('id', '=', id).execute();
const prepared = async () => {
  const { rows } = await sql<{ plans: number }>`
    select (generic_plans + custom_plans)::int as plans from pg_prepared_statements where statement like '%"thing"%'`.execute(
    db,
  );
  return rows.map(({ plans }) => plans);
};

test('a statement is planned once per connection, whatever its parameters', async () => {
  for (let id = 0; id < 20; id++) await find(id);
  expect(await prepared()).toEqual([20]);
  const { rows } = await sql<{ generic: number; custom: number }>`
    select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
    where statement like '%"thing"%'`.execute(db);
  expect(rows).toEqual([{ generic: 20, custom: 0 }]);
});

test('a migration that changes a table costs one request a 503, and no more', async () => {
  await find(1);
  await sql`alter table thing add column name text`.execute(db);
  const error = await find(1).catch((caught: unknown) => caught);
  expect(asRefusal(error)).toMatchObject({ code: 'service_unavailable', status: 503 });
  expect(await find(1)).toEqual([]);
});

test('a plan made for an empty table uses the index once the table is large', async () => {
  await sql`create table grows (id integer primary key, other integer)`.execute(db);
  await sql`analyze grows`.execute(db);
  const plan = async () => {
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>('explain (generic_plan) select * from grows where id = $1')
      .execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await plan()).toContain('Index Cond');
  await sql`insert into grows select n, n from generate_series(1, 100000) n`.execute(db);
  expect(await plan()).toContain('Index Cond');
});
