-- What a claim writes, without anything that it decides or shows: the next job is locked, moved, and told of.
with job as (
  select account_id, id, last_seq from jobs
  where status in ('queued', 'accepted', 'running') and held_since is null
  order by (status = 'queued'), created_at, id
  limit 1 for update skip locked
),
moved as (
  update jobs j set status = 'accepted', status_changed_at = now(), updated_at = now(), last_seq = j.last_seq + 1,
    held_since = now(), worker_key_id = b.worker_key_id, lease_token = gen_random_uuid(), lease_seconds = 300,
    lease_expires_at = now() + interval '300 seconds'
  from job, bench_worker b where j.account_id = job.account_id and j.id = job.id
  returning j.account_id, j.id, j.last_seq
),
counter as (
  update account_counters c set last_event = c.last_event + 1
  from moved where c.account_id = moved.account_id returning c.last_event
)
insert into events (account_id, seq, id, type, job_id, job_seq, status, previous_status, actor, message, request_id)
select moved.account_id, counter.last_event, uuidv7(), 'job.accepted', moved.id, moved.last_seq, 'accepted', 'queued',
  'worker', 'The studio accepted the job.', 'req_bench'
from moved, counter;
