-- Where the events of an account are posted to. An endpoint is a cursor on the log: its deliveries are made, and its cursor
-- moved, in one transaction. While it is disabled the cursor stands.
create table webhook_endpoints (
  account_id uuid not null references auth.account (id),
  id uuid not null,
  url text not null,
  description text,
  -- Null: events of every type.
  event_types text[] check (cardinality(event_types) > 0),
  -- Null: it is enabled.
  disabled_reason text check (disabled_reason in ('by_person', 'failing', 'gone', 'creator_left')),
  cursor bigint not null check (cursor >= 0),
  created_by uuid not null references auth.user (id),
  created_at timestamptz(3) not null default now(),
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  -- When people were told that it fails.
  warned_at timestamptz(3),
  primary key (account_id, id)
);

-- What deliveries are signed with, encrypted under SECRET_KEY. An older secret signs beside the newest until it expires.
create table webhook_secrets (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default uuidv7(),
  ciphertext text not null,
  expires_at timestamptz(3),
  primary key (account_id, endpoint_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

-- One event for one endpoint. A claim counts the attempt and moves due_at ahead, so what a killed process had claimed comes
-- due by itself. `once`: a test or a redelivery, which is tried once, whatever else waits.
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
-- An event waits for earlier ones of its job.
create index on webhook_deliveries (account_id, endpoint_id, job_id, seq) where done_at is null and job_id is not null;

-- Each time that a delivery was sent, and what came back.
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
