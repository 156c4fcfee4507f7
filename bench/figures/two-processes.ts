import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { startProcess, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import { runWrk } from '../wrk.ts';

/** B10: two processes on one database create at least as much as one; more needs more cores. */
export const twoProcesses = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const second = await startProcess(service.folder, { DATABASE_URL: service.databaseUrl });
    const post = (origin: string, connections: number) =>
      runWrk({ origin, method: 'POST', requests, body: draft, keyed: true, connections, seconds });
    const both = async () => {
      const rates = await Promise.all([post(service.origin, 32), post(second.origin, 32)]);
      return { ours: rates.reduce((sum, { perSecond }) => sum + perSecond, 0) };
    };
    try {
      await both();
      const of = 'one process';
      const meaning = { figure: 'B10', title: 'create by two processes', of, goal: 0.9, unit: '/s' };
      return [toRow(meaning, await alternate(rounds, both, async () => (await post(service.origin, 64)).perSecond))];
    } finally {
      await second.stop();
    }
  });
