import { type Account, createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** B5: reading an account's usage costs the same after 1,000 and after 1,000,000 jobs. */
export const usage = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const [small, large] = (await createAccounts(service, 2)) as [Account, Account];
    await insertJobs(service, 0, 0, 1_000);
    await insertJobs(service, 1, 1, 1_000_000);
    const read = ({ token }: Account) => {
      const requests = [{ token, path: '/api/v1/usage' }];
      return () => measureLoad(service, { requests, connections: 16, seconds });
    };
    await read(large)(); // folds rows inserted directly into the tables
    const rows = await alternate(rounds, read(large), async () => (await read(small)()).ours);
    const meaning = { figure: 'B5', title: 'usage after 1,000,000 jobs', of: 'after 1,000', goal: 1 / 1.2, unit: '/s' };
    return [toRow(meaning, rows)];
  });
