import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createUntilStopped } from '../faults/creates.ts';
import { repeat, wrongs } from '../faults/load.ts';
import { createService } from '../support/harness.ts';
import { startServiceProcess } from '../support/service-process.ts';

test('a process says how many connections it opens at most, and under load it opens no more', async () => {
  const { databaseUrl, close } = await createService();
  await close();
  const service = await startServiceProcess({ DATABASE_URL: databaseUrl, DATABASE_POOL: '3' }, databaseUrl);
  onTestFinished(service.stop);
  const [, most] = /opens at most (\d+) connections to Postgres/.exec(service.run.said()) ?? [];
  expect(most).toBe('6');

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const creates = createUntilStopped(service.asks, service.key, 16);
  const reads = repeat(16, () => service.asks('GET', '/api/v1/jobs?limit=5', { as: service.key }), 1);
  const counts: number[] = [];
  for (const until = performance.now() + 6_000; performance.now() < until;) {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    counts.push(rows[0]?.open ?? 0);
  }
  expect(wrongs([...(await reads.stop()), ...creates.outcomes])).toEqual([]);
  await creates.stop();
  expect(counts.length).toBeGreaterThan(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(Number(most));
  // The pool was in use to its end.
  expect(Math.max(...counts)).toBeGreaterThan(5);
});
