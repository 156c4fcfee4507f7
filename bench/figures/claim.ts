import { setTimeout as pause } from 'node:timers/promises';
import { createAccounts } from '../create-accounts.ts';
import { createWorkers } from '../create-workers.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { runPgbench } from '../pgbench.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

const openJobs = 1_000;
/** A worker key holds at most ten leases, and leases end every 100 ms. */
const workerKeys = 100;

/** B7: eight connections claim concurrently while 1,000 jobs are open. */
export const claim = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    await createAccounts(service, openJobs);
    await insertJobs(service, 0, openJobs - 1, 1);
    const tokens = await createWorkers(service, workerKeys);
    const requests = tokens.map((token) => ({ token, path: '/api/operator/v1/jobs/claim' }));
    const load = { method: 'POST' as const, requests, body: {}, connections: 8, seconds };
    const ours = () => whileRefilled(service, () => measureLoad(service, load));
    await ours();
    const limit = () => whileRefilled(service, () => runPgbench(service, { script: 'claim.sql', clients: 8, seconds }));
    const of = 'the same rows by pgbench';
    const title = 'claim of 1,000 open jobs, 8 connections';
    return [toRow({ figure: 'B7', title, of, goal: 0.1, unit: '/s' }, await alternate(rounds, ours, limit))];
  });

/** Every 100 ms, submits the leased jobs and queues as many new ones. */
async function whileRefilled<Result>({ database }: Service, measure: () => Promise<Result>): Promise<Result> {
  const measured = measure();
  let ended = false;
  const end = () => (ended = true);
  measured.then(end, end);
  while (!ended) {
    await pause(100);
    const { rows } = await database.query<{ free: number }>(
      `with submitted as (
         update jobs set status = 'needs_review', held_since = null, lease_expires_at = null
         where lease_expires_at is not null returning *
       ),
       queued as (
         insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
           source, plan_code, created_by_key, quality_review, auto_approval_hours, revisions_included, due_at)
         select uuidv7(), account_id, 'queued', service_family, service_type, customer_title, customer_instructions,
           source, plan_code, created_by_key, true, 72, 2, now() + interval '3 days' from submitted
       )
       select count(*)::int as free from jobs where status = 'queued'`,
    );
    if (rows[0]?.free === 0) throw new Error('B7: the queue ran empty, so the rates are wrong.');
  }
  return measured;
}
