-- A job. Terms of its service option are copied at creation, so that later edits of the catalog do not change
-- it.
create table jobs (
  account_id uuid not null references accounts (id),
  id uuid not null,
  status text not null check (status in ('queued', 'accepted', 'running', 'needs_review', 'ready_for_customer_review', 'completed', 'rejected', 'canceled')),
  service_family text not null,
  service_type text not null,
  customer_title text not null check (char_length(customer_title) between 1 and 200),
  customer_instructions text not null check (char_length(customer_instructions) between 1 and 20000),
  -- The customer's own reference, which the studio sees, and metadata, which it does not see.
  reference text check (char_length(reference) between 1 and 100),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  -- When the customer wishes to have the work. Nothing is decided by it.
  wanted_by timestamptz(3),
  source text not null check (source in ('api', 'dashboard', 'intake')),
  -- The confirmed brief; null for jobs without a conversation.
  intent_brief jsonb,
  plan_code text not null,
  -- The creator: a person or an API key. No foreign keys, because each check would lock the same key for
  -- every job.
  created_by_user uuid,
  created_by_key uuid,
  quality_review boolean not null,
  auto_approval_hours integer not null check (auto_approval_hours > 0),
  revisions_included integer not null check (revisions_included >= 0),
  revisions_used integer not null default 0 check (revisions_used between 0 and revisions_included),
  -- Null: rounds have no due date.
  revision_hours integer check (revision_hours > 0),
  -- The job is held while held_since is set, by an operator or by a worker. A worker always has a lease.
  -- After a return, the operator who held it holds it again.
  operator_id uuid references people (id),
  worker_key_id uuid references worker_keys (id),
  held_since timestamptz(3),
  -- A lease is live until lease_expires_at by the database's clock. If that is null there is no lease, and
  -- lease_token is the last one, so that its worker can learn why it ended.
  lease_token uuid,
  lease_seconds integer check (lease_seconds between 5 and 3600),
  lease_expires_at timestamptz(3),
  -- Leases that have expired since the last move by an operator or a revision. At five the job is parked.
  lease_expiries smallint not null default 0 check (lease_expiries between 0 and 5),
  ever_submitted boolean not null default false,
  ever_released boolean not null default false,
  reason_code text,
  reason_message text,
  last_seq integer not null default 1 check (last_seq > 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status_changed_at timestamptz(3) not null default now(),
  due_at timestamptz(3),
  -- The round that due_at is for: 0 for the first delivery. Behind revisions_used if the round has no due date.
  due_round integer not null default 0 check (due_round between 0 and revisions_used),
  -- The clock stands still while a question of the studio is open: due_at is null, and remaining_ms is what is left of it.
  waiting_since timestamptz(3),
  remaining_ms bigint,
  -- The customer answered, and nobody has taken the job since: it is claimed first.
  answered_at timestamptz(3),
  review_due_at timestamptz(3),
  primary key (account_id, id),
  check (intent_brief is null or source = 'intake'),
  check ((reason_code is null) = (reason_message is null)),
  check ((reason_code is not null) = (status = 'rejected')),
  check (review_due_at is null or status = 'ready_for_customer_review'),
  check (held_since is null or (status in ('accepted', 'running') and (operator_id is null) <> (worker_key_id is null))),
  check (held_since is null or worker_key_id is null or lease_expires_at is not null),
  check (lease_expires_at is null or (held_since is not null and lease_token is not null and lease_seconds is not null)),
  check (waiting_since is null or (due_at is null and status in ('queued', 'accepted', 'running', 'needs_review'))),
  check (remaining_ms is null or waiting_since is not null),
  check (num_nonnulls(created_by_user, created_by_key) = 1)
);
create index on jobs (account_id, created_at desc, id desc);
create index on jobs (account_id, updated_at, id);
create index on jobs (account_id, reference, created_at desc, id desc) where reference is not null;
-- The desk looks up jobs by id alone.
create index on jobs (id);
create index on jobs (created_at desc, id desc);
create index on jobs (service_family, created_at desc, id desc);
create index on jobs (created_at, id) where status not in ('completed', 'rejected', 'canceled');
-- The order of the queue: by due date, where a job that waits for an answer stays where its due date was.
create index jobs_open_by_due on jobs
  ((coalesce(due_at, (waiting_since at time zone 'UTC' + remaining_ms * interval '1 millisecond') at time zone 'UTC', created_at)), id)
  where status not in ('completed', 'rejected', 'canceled');
create index jobs_by_status_and_due on jobs
  (status, (coalesce(due_at, (waiting_since at time zone 'UTC' + remaining_ms * interval '1 millisecond') at time zone 'UTC', created_at)), id)
  where status not in ('completed', 'rejected', 'canceled');
create index jobs_parked on jobs
  ((coalesce(due_at, (waiting_since at time zone 'UTC' + remaining_ms * interval '1 millisecond') at time zone 'UTC', created_at)), id)
  where status = 'queued' and lease_expiries >= 5;
create index on jobs (operator_id) where held_since is not null;
create index on jobs (worker_key_id) where held_since is not null;
-- The order of claims: answered and revised and returned jobs, then the queue, each by due date and then by age.
create index jobs_claimable on jobs ((status = 'queued' and answered_at is null), due_at, created_at, id)
  where status in ('queued', 'accepted', 'running') and held_since is null and waiting_since is null;
create index on jobs (waiting_since) where waiting_since is not null;
create index on jobs (lease_expires_at) where lease_expires_at is not null;
create index on jobs (review_due_at) where review_due_at is not null;

-- The log of an account, in commit order and without gaps, because seq is taken from
-- account_counters.last_event under the lock of that row. It includes the customer-safe history of jobs,
-- numbered by jobs.last_seq. The last columns are never shown: who caused the event, with which credential,
-- and a keyed hash of the address.
create table events (
  account_id uuid not null,
  seq bigint not null check (seq > 0),
  id uuid not null,
  type text not null,
  job_id uuid,
  job_seq integer check (job_seq > 0),
  status text,
  previous_status text,
  actor text not null check (actor in ('customer', 'operator', 'worker', 'service')),
  message text not null,
  data jsonb,
  request_id text not null,
  created_at timestamptz(3) not null default now(),
  user_id uuid,
  api_key_id uuid,
  worker_key_id uuid,
  address_hash text,
  primary key (account_id, seq),
  unique (account_id, job_id, job_seq),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check ((job_id is null) = (job_seq is null) and (job_id is null) = (status is null))
);
-- For deleting old events that belong to no job.
create index on events (created_at) where job_id is null;

-- The requested changes, one row per revision round.
create table job_revisions (
  account_id uuid not null,
  job_id uuid not null,
  round integer not null check (round > 0),
  -- Empty where the customer sent only comments.
  customer_instructions text not null check (char_length(customer_instructions) <= 20000),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, job_id, round),
  foreign key (account_id, job_id) references jobs (account_id, id)
);

-- The message to the customer with each submission, for its revision round (0: the first delivery). The
-- customer sees it once the submission is released; returned ones stay at the desk.
create table job_submissions (
  account_id uuid not null,
  job_id uuid not null,
  id uuid not null default uuidv7(),
  round integer not null check (round >= 0),
  message text,
  created_at timestamptz(3) not null default now(),
  released_at timestamptz(3),
  -- When it was due, kept at its release: a later round may have another due date.
  due_at timestamptz(3),
  primary key (account_id, job_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create unique index on job_submissions (account_id, job_id, round) where released_at is not null;
-- First deliveries by time, for the figures.
create index on job_submissions (released_at) where round = 0 and released_at is not null;

-- Internal notes on a job, never shown to a customer.
create table job_notes (
  account_id uuid not null,
  job_id uuid not null,
  id uuid not null default uuidv7(),
  author_id uuid not null references people (id),
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, job_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
