import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import { runWrk } from '../wrk.ts';

const connections = 5_000;
/** Milliseconds within which 99 of 100 requests are answered or refused. */
const most = 5_500;
/** Seconds for which the database accepts no creates: longer than a request may wait. */
const still = 4;

/**
 * B12: under overload every answer is in time, and everybody else is told when to retry: 5,000 concurrent
 * callers, also while the database is blocked. Any other refusal fails the bench, as does a create that was
 * answered 201 but is missing.
 */
export const overload = ({ seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const load = { origin: service.origin, method: 'POST', requests, body: draft, keyed: true, connections } as const;
    const row = async (title: string, meanwhile: () => Promise<void>) => {
      const before = await countJobs(service);
      const [got] = await Promise.all([
        runWrk({ ...load, seconds: still + seconds * 2 }, { mayRefuse: true }),
        meanwhile(),
      ]);
      // Requests that were cut off at the end may have succeeded too.
      const lost = got.requests - got.refused - ((await countJobs(service)) - before);
      if (lost > 0) throw new Error(`B12: ${lost} creates were answered 201 and are not there.`);
      const rowTitle = `${title}: p99, with ${got.refused} of ${got.requests} told to come again`;
      const meaning = { figure: 'B12', title: rowTitle, of: 'bound', goal: 1, unit: 'ms', lessIsBetter: true };
      return { row: toRow(meaning, [{ ours: got.p99, limit: most }]), refused: got.refused };
    };
    const busy = await row('5,000 callers', async () => {});
    const stalled = await row(`5,000 callers, no creates for ${still} s`, () => standStill(service));
    if (stalled.refused === 0) throw new Error('B12: nobody was refused while the database stood still.');
    return [busy.row, stalled.row];
  });

async function standStill({ database }: Service): Promise<void> {
  await sleep(1_000);
  const client = await database.connect();
  await client.query('begin');
  await client.query('lock table account_counters in exclusive mode');
  await sleep(still * 1_000);
  await client.query('rollback');
  client.release();
}

async function countJobs({ database }: Service): Promise<number> {
  const { rows } = await database.query<{ jobs: number }>('select count(*)::int as jobs from jobs');
  return rows[0]?.jobs ?? 0;
}
