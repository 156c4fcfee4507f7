-- What happens to work at the desk has a side of its own, which the version before does not read: it has no words for it.
-- A scan of all rows would hold the table for long, and none can break the new rule.
alter table notifications drop constraint notifications_side_check,
  add constraint notifications_side_check check (side in ('customer', 'studio', 'office', 'team', 'desk')) not valid;

-- Which worker wrote a note: why it gave a job back. Its author is who made the key, which is all that the version before reads.
alter table job_notes add column worker_key_id uuid references worker_keys (id);

-- When a worker gave the job back by itself. For a while its key does not get the job again.
alter table jobs add column worker_released_at timestamptz(3);
