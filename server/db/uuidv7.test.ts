import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const ids = async (count: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select uuidv7() as id from generate_series(1, ${count}::int)`.execute(service.context.db);
  return rows.map(({ id }) => id);
};
const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('ids that the database makes are UUIDs of version 7, distinct, and sort by creation within a statement', async () => {
  const statements = await Promise.all(Array.from({ length: 8 }, () => ids(5_000)));
  for (const made of statements) expect(made).toEqual(made.toSorted());
  const all = statements.flat();
  expect(new Set(all).size).toBe(40_000);
  expect(all.filter((id) => !/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toEqual([]);
});

test('ids of later statements sort behind earlier ones', async () => {
  const made: string[] = [];
  for (let n = 0; n < 200; n++) made.push(...(await ids(2)));
  expect(made).toEqual(made.toSorted());
});

test('an id carries its time in milliseconds, or that of a shifted time', async () => {
  const { rows } = await sql<{ id: string; earlier: string; before: Date; after: Date }>`
    select before, uuidv7() as id, uuidv7(interval '-30 days') as earlier, clock_timestamp() as after
    from (select clock_timestamp() as before offset 0) b`.execute(service.context.db);
  const { id = '', earlier = '', before = new Date(), after = new Date() } = rows[0] ?? {};
  expect(timeOf(id)).toBeGreaterThanOrEqual(before.getTime());
  expect(timeOf(id)).toBeLessThanOrEqual(after.getTime());
  expect(timeOf(id) - timeOf(earlier)).toBeGreaterThan(30 * 86_400_000 - 1_000);
  expect(timeOf(id) - timeOf(earlier)).toBeLessThanOrEqual(30 * 86_400_000);
});
