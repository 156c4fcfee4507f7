import type { Service } from './start-service.ts';

export type StudioSize = { open: number; ended: number };

/** Ended jobs are spread over a year, open ones over the last days. */
const jobsOf = `
  select uuidv7() as job_id, a.account_id, a.user_id, g.n as number, g.n <= $1::int as is_open,
    case when g.n <= $1::int then (array['queued', 'queued', 'queued', 'accepted', 'running', 'needs_review', 'ready_for_customer_review'])[1 + g.n % 7]
      else (array['completed', 'completed', 'completed', 'completed', 'rejected', 'canceled'])[1 + g.n % 6] end as status,
    case when g.n <= $1::int then now() - g.n * interval '3 days' / $1::int
      else now() - interval '3 days' - (g.n - $1::int) * interval '362 days' / greatest($2::int, 1) end as at
  from generate_series(1, $1::int + $2::int) as g (n)
  join bench_accounts a on a.n = g.n % (select count(*) from bench_accounts)`;

/** What an ended job leaves behind. */
const steps = `(values (1, 'job.created', null, 'queued', 0), (2, 'job.accepted', 'queued', 'accepted', 1),
  (3, 'job.started', 'accepted', 'running', 2), (4, 'job.submitted', 'running', 'needs_review', 8),
  (5, 'job.ready_for_customer_review', 'needs_review', 'ready_for_customer_review', 9),
  (6, 'job.completed', 'ready_for_customer_review', 'completed', 30)) s (seq, type, before, status, hours)`;

const texts = `'Logo ' || number || ' for a neighbourhood bakery', repeat('Warm and simple, number ' || number || '. ', 12)`;

/** Fills the desk of a studio with the jobs of all bench accounts, held by an operator and by workers. */
export async function insertStudio({ database }: Service, { open, ended }: StudioSize): Promise<void> {
  const client = await database.connect();
  try {
    await client.query(
      `create temporary table made as select *, null::uuid as worker_key_id, null::uuid as operator_id from (${jobsOf}) j`,
      [open, ended],
    );
    await client.query(
      `update made m set
         worker_key_id = case when number % 3 = 0 then (select worker_key_id from bench_workers offset number % 5 limit 1) end,
         operator_id = case when number % 3 = 0 then null
           when number % 20 = 4 then (select id from people where email = 'bench@bench.localhost') else user_id end
       where status in ('accepted', 'running')`,
    );
    await client.query(
      `insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
         source, plan_code, created_by_user, quality_review, auto_approval_hours, revisions_included, created_at, updated_at,
         status_changed_at, due_at, worker_key_id, operator_id, held_since, lease_token, lease_seconds, lease_expires_at,
         lease_expiries, reason_code, reason_message, ever_released)
       select job_id, account_id, status, (array['design', 'data', 'writing'])[1 + number % 3], 'logo', ${texts},
         'dashboard', 'studio', user_id, true, 72, 2, at, at, at, at + interval '48 hours', worker_key_id, operator_id,
         case when coalesce(worker_key_id, operator_id) is not null then now() end,
         case when worker_key_id is not null then gen_random_uuid() end, case when worker_key_id is not null then 3600 end,
         case when worker_key_id is not null then now() + interval '1 hour' end,
         case when status = 'queued' and number % 50 = 0 then 5 else 0 end,
         case when status = 'rejected' then 'unclear' end, case when status = 'rejected' then 'Unclear.' end, not is_open
       from made`,
    );
    await client.query(
      `insert into events (account_id, seq, id, type, job_id, job_seq, status, previous_status, actor, message,
         request_id, user_id, created_at)
       select m.account_id, c.last_event + row_number() over (partition by m.account_id order by m.at, s.seq), uuidv7(),
         s.type, m.job_id, s.seq, s.status, s.before, case when s.seq in (1, 6) then 'customer' else 'operator' end,
         s.type, 'req_' || md5(m.number || ' ' || s.seq), m.user_id, m.at + s.hours * interval '1 hour'
       from made m join account_counters c on c.account_id = m.account_id join ${steps} on s.seq = 1 or not m.is_open
       order by m.at + s.hours * interval '1 hour'`,
    );
    await client.query(
      `insert into audit_log (id, account_id, action, actor, subject, user_id, request_id, created_at)
       select uuidv7(), account_id, 'job.held', 'operator', job_id::text, user_id, 'req_' || md5(number::text), at
       from made order by at`,
    );
    await client.query(
      `insert into job_submissions (account_id, job_id, round, message, created_at, released_at, due_at)
       select account_id, job_id, 0, 'Two versions.', at + interval '8 hours', at + interval '9 hours', at + interval '48 hours'
       from made where not is_open`,
    );
    await client.query(
      `insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, operator_id,
         worker_key_id, turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code)
       select account_id, job_id, at, status, (array['design', 'data', 'writing'])[1 + number % 3], 'logo',
         case when number % 3 > 0 then user_id end,
         case when number % 3 = 0 then (select worker_key_id from bench_workers offset number % 5 limit 1) end,
         9 * 3600 + number % 997, 1, least(1, number % 10), number % 3, case when status = 'rejected' then 'unclear' end
       from made where not is_open order by at`,
    );
    await client.query(
      `update account_counters c set last_event = (select coalesce(max(seq), 0) from events e where e.account_id = c.account_id),
         active_jobs = (select count(*) from made m where m.account_id = c.account_id and m.is_open)`,
    );
    await client.query('drop table made');
    await client.query('vacuum analyze');
  } finally {
    client.release();
  }
}
