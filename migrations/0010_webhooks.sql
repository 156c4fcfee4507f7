-- Endpoints to which the events of an account are sent. An endpoint is a cursor on the log: its deliveries
-- are queued, and its cursor moved, in one transaction. A disabled endpoint keeps its cursor.
create table webhook_endpoints (
  account_id uuid not null references accounts (id),
  id uuid not null,
  url text not null,
  description text,
  -- Null: all types.
  types text[] check (cardinality(types) > 0),
  -- Null: enabled.
  disabled_reason text check (disabled_reason in ('by_person', 'failing', 'gone', 'creator_left')),
  cursor bigint not null check (cursor >= 0),
  created_by uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  -- When the owners were warned about failures.
  warned_at timestamptz(3),
  primary key (account_id, id)
);
create index on webhook_endpoints (account_id, created_at desc, id desc);

-- Secrets for signing deliveries, encrypted under SECRET_KEY. An older secret also signs until it expires.
create table webhook_secrets (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default uuidv7(),
  ciphertext text not null,
  expires_at timestamptz(3),
  primary key (account_id, endpoint_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

-- One event for one endpoint. A claim counts the attempt and moves due_at ahead, so the claims of a killed
-- process become due again. `once`: a test or redelivery, which is tried once and waits for no other event.
create table webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default uuidv7(),
  seq bigint not null,
  event_id uuid not null,
  event_type text not null,
  job_id uuid,
  once boolean not null default false,
  attempts smallint not null default 0 check (attempts >= 0),
  due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  done_at timestamptz(3),
  outcome text check (outcome in ('delivered', 'dead')),
  primary key (account_id, endpoint_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade,
  check ((done_at is null) = (outcome is null))
);
create index webhook_deliveries_due on webhook_deliveries (account_id, endpoint_id, due_at, seq) where done_at is null;
-- For waiting for earlier events of the same job.
create index on webhook_deliveries (account_id, endpoint_id, job_id, seq) where done_at is null and job_id is not null;

-- The attempts to send a delivery and their results.
create table webhook_attempts (
  account_id uuid not null,
  endpoint_id uuid not null,
  delivery_id uuid not null,
  attempt smallint not null check (attempt > 0),
  at timestamptz(3) not null,
  status integer,
  error text,
  ms integer not null check (ms >= 0),
  answer text,
  primary key (account_id, endpoint_id, delivery_id, attempt),
  foreign key (account_id, endpoint_id, delivery_id) references webhook_deliveries (account_id, endpoint_id, id) on delete cascade,
  check ((status is null) <> (error is null))
);
