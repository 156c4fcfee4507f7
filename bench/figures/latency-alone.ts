import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs, jobPaths } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import type { Load } from '../wrk.ts';

/** B6: latency for a single caller, in milliseconds. */
export const latencyAlone = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 100);
    await insertJobs(service, 0, 99, 20);
    const creates = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const polls = await jobPaths(service, accounts);
    const row = async (
      figure: string,
      title: string,
      most: number,
      load: Pick<Load, 'method' | 'requests' | 'body' | 'keyed'>,
    ) => {
      const ask = async () => {
        const got = await measureLoad(service, { ...load, connections: 1, seconds });
        return { ...got, ours: got.measured?.p50 ?? NaN };
      };
      await ask();
      const meaning = { figure, title, of: 'at most', goal: 1, unit: 'ms', lessIsBetter: true };
      return toRow(meaning, await alternate(rounds, ask, async () => most));
    };
    return [
      await row('B6', 'create, alone', 1, { method: 'POST', requests: creates, body: draft, keyed: true }),
      await row('B6 poll', 'poll, alone', 0.3, { requests: polls }),
    ];
  });
