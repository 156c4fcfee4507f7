import { showId } from '../server/lib/id.ts';
import type { Account } from './create-accounts.ts';
import type { Service } from './start-service.ts';
import type { Load } from './wrk.ts';

/** Inserts jobs one second apart, with the events, charges and counters that creates would have made. */
export async function insertJobs({ database }: Service, first: number, last: number, each: number): Promise<void> {
  const client = await database.connect();
  try {
    await client.query(
      `create temporary table made as
       select a.*, n.n as number, uuidv7() as job_id, now() - n.n * interval '1 second' as at
       from bench_accounts a, generate_series(1, ${each}) as n where a.n between ${first} and ${last}`,
    );
    await client.query(
      `insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
         source, plan_code, created_by_key, quality_review, auto_approval_hours, revisions_included, created_at, due_at)
       select job_id, account_id, 'queued', 'design', 'logo', 'Logo for a neighbourhood bakery',
         repeat('Warm and simple. ', 18), 'api', 'studio', api_key_id, true, 72, 2, at, at + interval '3 days'
       from made`,
    );
    await client.query(
      `insert into events (account_id, seq, id, type, job_id, job_seq, status, actor, message, request_id)
       select m.account_id, c.last_event + m.number, uuidv7(), 'job.created', m.job_id, 1, 'queued', 'customer',
         'The job was created and is queued.', 'req_bench'
       from made m join account_counters c on c.account_id = m.account_id`,
    );
    await client.query(
      `insert into usage_ledger (id, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
         service_family, unit, quantity, created_at)
       select uuidv7(), account_id, entitlement_id, 'studio', period_start, job_id, api_key_id, 'design', 'job', 1, at from made`,
    );
    await client.query(
      `insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
       select account_id, (at at time zone 'UTC')::date, entitlement_id, period_start, 'design', api_key_id, count(*)
       from made group by 1, 2, 3, 4, 5, 6`,
    );
    await client.query(
      `update account_counters c set active_jobs = c.active_jobs + ${each}, last_event = c.last_event + ${each}
       from bench_accounts a where a.account_id = c.account_id and a.n between ${first} and ${last}`,
    );
    await client.query(
      `update entitlement_periods p set used = p.used + ${each}
       from bench_accounts a where a.account_id = p.account_id and a.n between ${first} and ${last}`,
    );
    await client.query('drop table made');
    await client.query('analyze');
  } finally {
    client.release();
  }
}

/** One job of each account, read with its own key. */
export async function jobPaths({ database }: Service, accounts: readonly Account[]): Promise<Load['requests']> {
  const { rows } = await database.query<{ account_id: string; id: string }>(
    'select distinct on (account_id) account_id, id from jobs',
  );
  const tokens = new Map(accounts.map(({ accountId, token }) => [accountId, token]));
  return rows.map(({ account_id, id }) => ({
    token: tokens.get(account_id) ?? null,
    path: `/api/v1/jobs/${showId('job', id)}`,
  }));
}
