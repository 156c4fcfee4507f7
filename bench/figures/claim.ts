import { mintKey } from '../../server/keys/plaintext-key.ts';
import { createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { runPgbench } from '../pgbench.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** More than all rounds claim. */
const queued = 200;
const accounts = 1_000;

/** B7: eight workers claim at once. */
export const claim = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    await createAccounts(service, accounts);
    await insertJobs(service, 0, accounts - 1, queued);
    const token = await createWorker(service);
    const requests = [{ token, path: '/api/operator/v1/jobs/claim' }];
    const ours = () => measureLoad(service, { method: 'POST', requests, body: {}, connections: 8, seconds });
    await ours(); // warm
    const limit = () => runPgbench(service, { script: 'claim.sql', clients: 8, seconds });
    const of = 'the same rows by pgbench';
    const row = toRow(
      { figure: 'B7', title: 'claim, 8 workers', of, goal: 0.8, unit: '/s' },
      await alternate(rounds, ours, limit),
    );
    await refuseIfEmpty(service);
    return [row];
  });

/** A worker key; the table `bench_worker` tells it to pgbench. */
async function createWorker({ database }: Service): Promise<string> {
  const key = mintKey('atw');
  await database.query('create table bench_worker (worker_key_id uuid)');
  await database.query(
    `with key as (
       insert into worker_keys (id, created_by, name, prefix, secret_sha256)
       select uuidv7(), user_id, 'bench', $1, $2 from bench_accounts where n = 0 returning id
     )
     insert into bench_worker select id from key`,
    [key.prefix, key.digest],
  );
  return key.plaintext;
}

/** A claim that finds nothing is no claim. */
async function refuseIfEmpty({ database }: Service): Promise<void> {
  const { rows } = await database.query("select from jobs where status = 'queued' limit 1");
  if (rows.length === 0)
    throw new Error('B7: the queue ran empty, so the rates are wrong. Use fewer rounds or seconds.');
}
