import { createAccounts } from '../accounts.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { type Service, withService } from '../service.ts';
import type { Settings } from '../settings.ts';
import { runWrk } from '../wrk.ts';

/** More callers at once than the service can serve in time. */
const connections = 5_000;
const most = 5_500;

/** B12: under too much load whoever is answered is answered in time, and the rest are told when to come again. */
export const overload = ({ seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const load = { origin: service.origin, method: 'POST', requests, body: draft, keyed: true } as const;
    const before = await countJobs(service);
    const got = await runWrk({ ...load, connections, seconds: seconds * 2 }, { mayRefuse: true });
    const made = (await countJobs(service)) - before;
    // Those that were cut off at the end may have been made too.
    const lost = got.requests - got.refused - made;
    if (lost > 0) throw new Error(`B12: ${lost} creates were answered 201 and are not there.`);
    const row = (title: string, ours: number, limit: number, unit: string, lessIsBetter: boolean) =>
      toRow({ figure: 'B12', title, of: 'bound', goal: 1, unit, lessIsBetter }, [{ ours, limit }]);
    return [
      row(
        `p99 with ${connections.toLocaleString('en')} callers, ${got.refused} of ${got.requests} refused`,
        got.p99,
        most,
        'ms',
        true,
      ),
    ];
  });

async function countJobs({ database }: Service): Promise<number> {
  const { rows } = await database.query<{ jobs: number }>('select count(*)::int as jobs from jobs');
  return rows[0]?.jobs ?? 0;
}
