-- As create.sql, where an event is a row of its job and has no number in the account: what the log of accounts costs.
\set n random(:first, :last)
with caller as materialized (select * from bench_accounts where n = :n),
counter as (
  update account_counters c set active_jobs = c.active_jobs + 1
  from caller where c.account_id = caller.account_id
),
period as (
  update entitlement_periods p set used = p.used + 1 from caller where p.account_id = caller.account_id and p.entitlement_id = caller.entitlement_id
),
job as (
  insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
    source, plan_code, created_by_key, quality_review, auto_approval_hours, revisions_included, due_at)
  select uuidv7(), account_id, 'queued', 'design', 'logo', 'Logo for a neighbourhood bakery',
    'Brand name: Rise Bakery. Target audience: families. ' || repeat('Warm and simple. ', 15),
    'api', 'studio', api_key_id, true, 72, 2, now() + interval '72 hours' from caller
  returning id, account_id
),
event as (
  insert into bench_job_events (account_id, id, type, job_id, job_seq, status, actor, message, request_id, api_key_id, address_hash)
  select job.account_id, uuidv7(), 'job.created', job.id, 1, 'queued', 'customer',
    'The job was created and is queued.', 'req_' || repeat('x', 26), caller.api_key_id, repeat('x', 43)
  from job, caller
),
charge as (
  insert into usage_ledger (id, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
    service_family, unit, quantity)
  select uuidv7(), job.account_id, caller.entitlement_id, 'studio', caller.period_start, job.id, caller.api_key_id,
    'design', 'job', 1 from job, caller
),
total as (
  insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
  select account_id, current_date, entitlement_id, period_start, 'design', api_key_id, 1 from caller
  on conflict (account_id, day, entitlement_id, period_start, service_family, api_key_id)
    do update set quantity = usage_totals.quantity + 1
)
insert into idempotency_keys (account_id, route, key, fingerprint, status, answer)
select account_id, 'POST /api/v1/jobs', uuidv7()::text, 'RBNvo1WzZ4oRRq0W9-hkpnT7iM3XXWw5GdkfgCCt3vM', 201,
  json_build_object('job', json_build_object('id', id, 'status', 'queued', 'links', repeat('x', 240)), 'next_action', repeat('x', 105))
from job;
