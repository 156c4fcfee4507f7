-- Who changed what, with which credential and request, from where: everything that the account's log (events)
-- does not contain. The address is a keyed hash. No references to other tables, because entries outlive their
-- subjects. Rows are never changed.
create table audit_log (
  id uuid primary key,
  account_id uuid,
  action text not null,
  actor text not null check (actor in ('customer', 'operator', 'worker', 'service', 'provider')),
  -- The public id of what was changed.
  subject text not null,
  details jsonb,
  user_id uuid,
  api_key_id uuid,
  worker_key_id uuid,
  address_hash text,
  request_id text not null,
  created_at timestamptz(3) not null default now()
);
create index on audit_log (created_at desc, id desc);
create index on audit_log (account_id, created_at desc, id desc);
create index on audit_log (subject, created_at desc, id desc);
create index on audit_log (user_id, created_at desc, id desc) where user_id is not null;
create index on audit_log (worker_key_id, created_at desc, id desc) where worker_key_id is not null;
create index on audit_log (action, created_at desc, id desc);
create index on audit_log (actor, created_at desc, id desc);
create index on audit_log (request_id);
-- The audit reads events by time. They are appended in that order, so BRIN is enough. What the audit filters by is
-- indexed too, except what nearly every event has: those are found soon by time.
create index on events using brin (created_at);
create index on events (account_id, created_at desc, id desc);
create index on events (user_id, created_at desc, id desc) where user_id is not null;
create index on events (worker_key_id, created_at desc, id desc) where worker_key_id is not null;
create index on events (type, created_at desc, id desc) where type <> 'job.created';
create index on events (actor, created_at desc, id desc) where actor <> 'customer';
create index on events using brin (request_id text_bloom_ops (n_distinct_per_range = 3000, false_positive_rate = 0.001))
  with (pages_per_range = 64, autosummarize = on);

revoke update, delete, truncate on audit_log from current_user;
