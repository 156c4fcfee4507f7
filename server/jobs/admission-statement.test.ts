import { createDb } from '../db/pool.ts';
import { expect, test } from 'vitest';
import { admissionStatement } from './admission-statement.ts';

test('admission-statement.sql is what Postgres gets', async () => {
  const db = createDb('postgres://unused', 1, () => {});
  const { sql } = admissionStatement('agent', 24, [], 'skip').compile(db);
  await expect(`${sql.trim()}\n`).toMatchFileSnapshot('admission-statement.sql');
});

test('the statement that waits for locked accounts differs in nothing else', () => {
  const db = createDb('postgres://unused', 1, () => {});
  const [skip, wait] = (['skip', 'wait'] as const).map(
    (locking) => admissionStatement('agent', 24, [], locking).compile(db).sql,
  );
  expect(skip!.replace(' skip locked', '')).toBe(wait);
});
