-- A file that a customer or the studio uploaded. The service makes the storage keys: first one made of the
-- id, which the upload URL may write, then object_key, which no client can write. The row outlives its bytes.
-- A customer's upload never counts as delivered work, whatever its purpose.
create table files (
  account_id uuid not null references accounts (id),
  id uuid not null,
  job_id uuid,
  uploaded_by text not null check (uploaded_by in ('customer', 'studio')),
  -- The worker that uploads the file; null for operators and customers.
  worker_key_id uuid references worker_keys (id),
  purpose text not null check (purpose in ('job_source', 'job_reference', 'job_deliverable')),
  file_name text not null check (char_length(file_name) between 1 and 255),
  content_type text not null,
  declared_bytes integer not null check (declared_bytes > 0),
  retention_days integer not null check (retention_days between 1 and 365),
  status text not null default 'pending_upload' check (status in ('pending_upload', 'uploaded', 'expired', 'deleted')),
  -- What the completed upload contained.
  object_key text,
  etag text,
  stored_bytes integer check (stored_bytes between 1 and declared_bytes),
  -- Deliverables: submitted for this revision round (0: the first delivery), then released by a pass.
  round integer check (round >= 0),
  submitted_at timestamptz(3),
  released_at timestamptz(3),
  -- When a message of the studio showed it to the customer.
  sent_at timestamptz(3),
  -- The place in its delivery, from 1: the order in which submit named the files.
  position smallint,
  -- A picture of the file, at a key of its own. 'pending': the service has yet to draw it.
  poster_status text not null default 'none' check (poster_status in ('none', 'pending', 'made', 'failed')),
  poster_key text,
  -- When the next attempt may begin. Each attempt postpones it, so that two processes do not draw the same.
  poster_due_at timestamptz(3),
  poster_attempts smallint not null default 0,
  -- The place in the brand kit of the account, from 1. With a job: in the copy of the kit that the job was
  -- ordered with, which has the bytes of the file in the kit.
  brand_position smallint check (brand_position between 1 and 20),
  -- The template that has the file, and its place there, from 1.
  template_id uuid,
  template_position smallint,
  created_at timestamptz(3) not null default now(),
  uploaded_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (uploaded_by = 'customer' or (job_id is not null and purpose in ('job_deliverable', 'job_reference'))),
  check (uploaded_by = 'studio' or (worker_key_id is null and submitted_at is null)),
  -- An upload that was deleted before its completion has no uploaded_at.
  check (case status when 'uploaded' then uploaded_at is not null when 'deleted' then true else uploaded_at is null end),
  check ((uploaded_at is null) = (object_key is null) and (uploaded_at is null) = (etag is null) and (uploaded_at is null) = (stored_bytes is null)),
  check ((status = 'deleted') = (deleted_at is not null)),
  check ((submitted_at is null) = (round is null) and (submitted_at is null or uploaded_at is not null)),
  check (released_at is null or submitted_at is not null),
  check (submitted_at is null or purpose = 'job_deliverable'),
  check (sent_at is null or (uploaded_by = 'studio' and purpose = 'job_reference' and uploaded_at is not null)),
  check ((position is null) = (submitted_at is null)),
  check ((poster_status = 'made') = (poster_key is not null)),
  check ((poster_status = 'pending') = (poster_due_at is not null)),
  check (poster_status = 'none' or uploaded_at is not null),
  check ((template_id is null) = (template_position is null)),
  check (template_id is null or (uploaded_by = 'customer' and uploaded_at is not null and job_id is null
    and brand_position is null)),
  check (brand_position is null or (uploaded_by = 'customer' and purpose = 'job_reference' and uploaded_at is not null))
);
-- The desk looks up files by id, the sweep of the storage by key.
create index on files (id);
create index on files (object_key) where object_key is not null;
create index on files (poster_key) where poster_key is not null;
create index on files (poster_due_at) where poster_status = 'pending' and status = 'uploaded';
create index on files (account_id, job_id) where job_id is not null;
create index on files (account_id, created_at desc, id desc);
create index on files (account_id, template_id) where template_id is not null;
create index on files (account_id, brand_position) where brand_position is not null and job_id is null;
-- For the upload limits, counted under the lock of the account's counters.
create index on files (account_id) where uploaded_by = 'customer' and status in ('pending_upload', 'uploaded');
create index on files (created_at) where status = 'pending_upload';
create index on files (((uploaded_at at time zone 'UTC') + make_interval(days => retention_days))) where status = 'uploaded';

-- The files of a job that the customer sees: the account's uploads, released deliverables and files of messages.
-- Not the job's copies of the brand kit.
create view visible_files as
  select f.*, coalesce(f.released_at, f.sent_at, f.uploaded_at) as shown_at
  from files f
  where f.uploaded_at is not null and (f.brand_position is null or f.job_id is null)
    and (f.uploaded_by = 'customer' or f.released_at is not null or f.sent_at is not null);

-- The id of this installation, which is also in the storage, so that no other database sweeps it. `database`
-- reveals a restored or copied database, which then gets an id of its own.
create table installation (
  single boolean primary key default true check (single),
  id uuid not null default uuidv7(),
  -- Each sweep writes a new nonce here and then to the storage: a copied disk has the same id, but not the
  -- nonces of later sweeps. The previous nonce also counts, because a sweep may end between the two.
  nonce uuid not null default gen_random_uuid(),
  previous_nonce uuid,
  database text not null,
  created_at timestamptz(3) not null default now(),
  -- No orphans are swept before this time.
  sweeps_halted_until timestamptz(3)
);
