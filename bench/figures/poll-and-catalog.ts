import { type Account, createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs, jobPaths } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import type { Load } from '../wrk.ts';

/** B3: frequent reads (a job, a list, the catalog) compared with a Node server that answers nothing. */
export const pollAndCatalog = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts: Account[] = await createAccounts(service, 1_000);
    await insertJobs(service, 0, 999, 40);
    const load = (requests: Load['requests']) => () => measureLoad(service, { requests, connections: 64, seconds });
    const health = async () => (await load([{ token: null, path: '/healthz' }])()).ours;
    const row = async (figure: string, title: string, goal: number, requests: Load['requests']) => {
      await load(requests)();
      const meaning = { figure, title, of: 'GET /healthz', goal, unit: '/s' };
      return toRow(meaning, await alternate(rounds, load(requests), health));
    };
    return [
      await row('B3', 'poll a job', 0.65, await jobPaths(service, accounts)),
      await row('B3 catalog', 'read the catalog', 0.9, [{ token: null, path: '/api/v1/catalog' }]),
    ];
  });
