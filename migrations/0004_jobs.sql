-- A work request. What its service option promised is copied at creation, so that a later edit of the
-- catalog does not change a job that is under way.
create table jobs (
  id uuid primary key,
  account_id uuid not null references auth.account (id),
  status text not null check (status in ('queued', 'accepted', 'running', 'needs_review', 'ready_for_customer_review', 'completed', 'rejected', 'canceled')),
  service_family text not null,
  service_type text not null,
  customer_title text not null check (char_length(customer_title) between 1 and 200),
  customer_instructions text not null check (char_length(customer_instructions) between 1 and 20000),
  source text not null check (source in ('api', 'dashboard', 'intake')),
  entitlement_code text not null,
  quality_review boolean not null,
  auto_approval_hours integer not null check (auto_approval_hours > 0),
  revisions_included integer not null check (revisions_included >= 0),
  revisions_used integer not null default 0 check (revisions_used between 0 and revisions_included),
  -- The operator who holds the job while held_since is set, and who gets it back when it returns.
  operator_id uuid references auth.user (id),
  held_since timestamptz(3),
  ever_submitted boolean not null default false,
  ever_released boolean not null default false,
  reason_code text,
  reason_message text,
  last_seq integer not null default 1 check (last_seq > 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status_changed_at timestamptz(3) not null default now(),
  due_at timestamptz(3),
  review_due_at timestamptz(3),
  unique (account_id, id),
  check ((reason_code is null) = (reason_message is null)),
  check ((reason_code is not null) = (status = 'rejected')),
  check (review_due_at is null or status = 'ready_for_customer_review'),
  check (held_since is null or (operator_id is not null and status in ('accepted', 'running')))
);
create index on jobs (account_id, created_at desc, id desc);
create index on jobs (created_at, id) where status not in ('completed', 'rejected', 'canceled');

-- The customer-safe history of a job. seq comes from jobs.last_seq under the lock of the job's row, so it has no gaps.
create table job_events (
  id uuid primary key,
  job_id uuid not null references jobs (id),
  seq integer not null check (seq > 0),
  type text not null,
  status text not null,
  previous_status text,
  actor text not null check (actor in ('customer', 'operator', 'worker', 'service')),
  message text not null,
  request_id text not null,
  created_at timestamptz(3) not null default now(),
  unique (job_id, seq)
);

-- What a customer asked to have changed, one row per revision round.
create table job_revisions (
  job_id uuid not null references jobs (id),
  round integer not null check (round > 0),
  customer_instructions text not null check (char_length(customer_instructions) between 1 and 20000),
  created_at timestamptz(3) not null default now(),
  primary key (job_id, round)
);

-- The ledger: +1 for a job created, -1 for the reversal of that very row, at most once.
create table usage_ledger (
  id uuid primary key,
  account_id uuid not null references auth.account (id),
  entitlement_id uuid not null references entitlements (id),
  entitlement_code text not null,
  period_start timestamptz(3) not null,
  job_id uuid not null references jobs (id),
  api_key_id uuid,
  service_family text not null,
  unit text not null,
  quantity integer not null check (quantity in (1, -1)),
  reverses uuid unique references usage_ledger (id),
  occurred_at timestamptz(3) not null default now(),
  check ((quantity = -1) = (reverses is not null))
);
create unique index on usage_ledger (job_id) where quantity = 1;
create index on usage_ledger (account_id, occurred_at desc, id desc);
create index on usage_ledger (entitlement_id, period_start);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'usage_ledger rows are never changed or deleted';
end $$;
create trigger refuse_ledger_change before update or delete or truncate on usage_ledger
  for each statement execute function refuse_ledger_change();

-- An Idempotency-Key with the answer it was given. owner_id is the account, at the desk the operator.
create table idempotency_keys (
  owner_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint text not null,
  status smallint not null,
  -- json and not jsonb: a replay is the same text, byte for byte.
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (owner_id, route, key)
);
create index on idempotency_keys (created_at);
