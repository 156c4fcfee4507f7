import { createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { runPgbench } from '../pgbench.ts';
import { withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** B14: the cost of numbering a create's events per account: the rows of a job with and without it. */
export const createWithLog = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    await createAccounts(service, 1_000);
    await service.database.query(`
      create table bench_job_events (like events including defaults, primary key (id), unique (account_id, job_id, job_seq),
        foreign key (account_id, job_id) references jobs (account_id, id));
      alter table bench_job_events alter seq drop not null;
      create index on bench_job_events using brin (created_at);
      create index on bench_job_events (created_at) where job_id is null`);
    const variables = { first: 0, last: 999 };
    const by = (script: string) => () => runPgbench(service, { script, clients: 64, seconds, variables });
    await by('create.sql')();
    const measured = await alternate(
      rounds,
      async () => ({ ours: await by('create.sql')() }),
      by('create-without-log.sql'),
    );
    const of = 'the same rows without numbers in the account';
    return [toRow({ figure: 'B14', title: 'create, with the log', of, goal: 0.95, unit: '/s' }, measured)];
  });
