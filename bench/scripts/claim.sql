-- The rows of one claim, in one transaction: what POST /api/operator/v1/jobs/claim writes, without anything that it shows.
with job as (
  select account_id, id, last_seq from jobs
  where status in ('queued', 'accepted', 'running') and held_since is null
  order by (status = 'queued'), due_at, created_at, id
  limit 1 for update skip locked
),
moved as (
  update jobs j set status = 'accepted', status_changed_at = now(), updated_at = now(), last_seq = j.last_seq + 1,
    held_since = now(), worker_key_id = b.worker_key_id, lease_token = gen_random_uuid(), lease_seconds = 300,
    lease_expires_at = now() + interval '300 seconds'
  from job, (select worker_key_id from bench_workers limit 1) b where j.account_id = job.account_id and j.id = job.id
  returning j.account_id, j.id, j.last_seq, j.worker_key_id
),
audit as (
  insert into audit_log (id, account_id, action, actor, subject, worker_key_id, address_hash, request_id)
  select uuidv7(), account_id, 'job.claimed', 'worker', 'job_' || repeat('x', 26), worker_key_id, repeat('x', 43),
    'req_' || repeat('x', 26)
  from moved
),
counter as (
  update account_counters c set last_event = c.last_event + 1
  from moved where c.account_id = moved.account_id returning c.last_event
)
insert into events (account_id, seq, id, type, job_id, job_seq, status, previous_status, actor, message, request_id,
  worker_key_id, address_hash)
select moved.account_id, counter.last_event, uuidv7(), 'job.accepted', moved.id, moved.last_seq, 'accepted', 'queued',
  'worker', 'The studio accepted the job.', 'req_' || repeat('x', 26), moved.worker_key_id, repeat('x', 43)
from moved, counter;
