import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { measureLoad } from '../measure-load.ts';
import { runPgbench } from '../pgbench.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** B1 and B2: creates over 64 connections with Idempotency-Keys, by 1,000 accounts and by one. */
export const create = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const post = (by: typeof requests) => () =>
      measureLoad(service, { method: 'POST', requests: by, body: draft, keyed: true, connections: 64, seconds });
    await post(requests)();
    const many = await alternate(rounds, post(requests), sameRows(service, seconds, 999));
    const hot = await alternate(rounds, post(requests.slice(0, 1)), sameRows(service, seconds, 0));
    const of = 'the same rows by pgbench at its best, one transaction a job';
    return [
      toRow({ figure: 'B1', title: 'create, 1,000 accounts', of, goal: 0.8, unit: '/s' }, many),
      toRow({ figure: 'B2', title: 'create, one hot account', of, goal: 2, unit: '/s' }, hot),
    ];
  });

/** At 64 connections transactions wait for each other, at 2 for the disk. */
const connectionCounts = [2, 4, 16, 64];

const sameRows = (service: Service, seconds: number, last: number) => async () => {
  const rates: number[] = [];
  for (const clients of connectionCounts)
    rates.push(await runPgbench(service, { script: 'create.sql', clients, seconds, variables: { first: 0, last } }));
  return Math.max(...rates);
};
