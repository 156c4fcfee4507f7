-- Keys of workers, the automated fulfillers: kept like API keys, but they belong to the studio and open the desk.
create table worker_keys (
  id uuid primary key,
  created_by uuid not null references auth.user (id),
  name text not null check (name <> ''),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  -- Null: jobs of every family.
  service_families text[] check (cardinality(service_families) > 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

-- The lease of a job. It is live until lease_expires_at by the database's clock; while that is null there is none, and
-- lease_token is the last one, so that its worker can learn why it ended. A job is held while held_since is set: by an
-- operator or by a worker, never both, and by a worker only under a lease.
alter table jobs
  add column worker_key_id uuid references worker_keys (id),
  add column lease_token uuid,
  add column lease_seconds integer check (lease_seconds between 5 and 3600),
  add column lease_expires_at timestamptz(3),
  -- Leases that ran out since an operator or a revision last moved the job; at five it is parked.
  add column lease_expiries smallint not null default 0 check (lease_expiries between 0 and 5),
  -- The hold of 0004_jobs.sql, which only operators had.
  drop constraint jobs_check4,
  add check (held_since is null or (status in ('accepted', 'running') and (operator_id is null) <> (worker_key_id is null))),
  add check (held_since is null or worker_key_id is null or lease_expires_at is not null),
  add check (lease_expires_at is null or (held_since is not null and lease_token is not null and lease_seconds is not null));

-- What a claim chooses from, in its order: revisions and returned jobs first, then the queue, each oldest first.
create index jobs_claimable on jobs ((status = 'queued'), created_at, id)
  where status in ('queued', 'accepted', 'running') and held_since is null;
create index jobs_lease_expires_at on jobs (lease_expires_at) where lease_expires_at is not null;
create index jobs_review_due_at on jobs (review_due_at) where review_due_at is not null;
