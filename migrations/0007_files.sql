-- A file that a customer or the studio uploaded. The bytes lie in the storage under keys that the service makes: until
-- completion under one made of the id, which the upload URL may write; then under object_key, which no client can write.
-- The row outlives its bytes. What a customer uploaded never counts as delivered work, whatever its purpose says.
create table files (
  account_id uuid not null references auth.account (id),
  id uuid not null,
  job_id uuid,
  uploaded_by text not null check (uploaded_by in ('customer', 'studio')),
  -- Of the studio's files: the worker that asked for the upload; null for operators.
  worker_key_id uuid references worker_keys (id),
  purpose text not null check (purpose in ('job_source', 'job_reference', 'job_deliverable')),
  file_name text not null check (char_length(file_name) between 1 and 255),
  content_type text not null,
  declared_bytes integer not null check (declared_bytes > 0),
  retention_days integer not null check (retention_days between 1 and 365),
  status text not null default 'pending_upload' check (status in ('pending_upload', 'uploaded', 'expired', 'deleted')),
  -- What was found and pinned at completion.
  object_key text,
  etag text,
  stored_bytes integer check (stored_bytes between 1 and declared_bytes),
  -- Deliverables: handed in with a submission of this revision round (0 for the first delivery), then released by a pass.
  round integer check (round >= 0),
  submitted_at timestamptz(3),
  released_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  uploaded_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (uploaded_by = 'customer' or (job_id is not null and purpose = 'job_deliverable')),
  check (uploaded_by = 'studio' or (worker_key_id is null and submitted_at is null)),
  -- An upload that its account deleted before it was completed has no uploaded_at.
  check (case status when 'uploaded' then uploaded_at is not null when 'deleted' then true else uploaded_at is null end),
  check ((uploaded_at is null) = (object_key is null) and (uploaded_at is null) = (etag is null) and (uploaded_at is null) = (stored_bytes is null)),
  check ((status = 'deleted') = (deleted_at is not null)),
  check ((submitted_at is null) = (round is null) and (submitted_at is null or uploaded_at is not null)),
  check (released_at is null or submitted_at is not null)
);
-- The desk finds a file by its id alone, and the sweep of the storage by its key.
create index on files (id);
create index on files (object_key) where object_key is not null;
create index on files (account_id, job_id) where job_id is not null;
create index on files (account_id, created_at desc, id desc);
-- What an account may still upload is decided by these, under the lock of its counters.
create index on files (account_id) where uploaded_by = 'customer' and status in ('pending_upload', 'uploaded');
create index on files (created_at) where status = 'pending_upload';
create index on files (((uploaded_at at time zone 'UTC') + make_interval(days => retention_days))) where status = 'uploaded';

-- What a customer sees of a job's files: the account's own uploads, and deliverables that a pass released.
create view visible_files as
  select f.*, coalesce(f.released_at, f.uploaded_at) as shown_at
  from files f
  where f.uploaded_at is not null and (f.uploaded_by = 'customer' or f.released_at is not null);

-- Which installation this is. The storage holds the same id, so that no other database sweeps it. `database` tells a
-- restored or copied database from the one that was copied: a copy gets an id of its own.
create table installation (
  single boolean primary key default true check (single),
  id uuid not null default uuidv7(),
  -- Written anew by each sweep, here and then to the storage. A copy of the disk has the same id and database, but not the
  -- nonces of later sweeps. The previous one counts, too: a sweep may end between the two.
  nonce uuid not null default gen_random_uuid(),
  previous_nonce uuid,
  database text not null,
  created_at timestamptz(3) not null default now(),
  -- Until then no orphan is swept.
  sweeps_halted_until timestamptz(3)
);
