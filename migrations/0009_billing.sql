-- An account's customer at one provider: customers of the sandbox or test mode are unknown in live mode. If
-- the provider loses a customer, the account gets another, and the old one stays bound for later events.
create table provider_customers (
  customer text primary key,
  account_id uuid not null references accounts (id),
  provider text not null check (provider in ('sandbox', 'stripe_test', 'stripe_live')),
  gone_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create unique index on provider_customers (account_id, provider) where gone_at is null;

-- Whether the provider's price of a plan matches plans.yaml. `terms` is the price and provider that were
-- compared, so that a process with another catalog or provider does not rely on the result.
create table plan_prices (
  code text primary key,
  verified boolean not null,
  reason text,
  checked_at timestamptz(3) not null default now(),
  terms jsonb not null,
  check (verified = (reason is null))
);

-- The last checkout that an account started for a plan, so that repeated requests get the same one. It grants
-- nothing. paid_at is set when an event grants the plan. A replaced checkout, or one of a closed account, is
-- not handed out again, but can be paid until the provider has ended it, which sets expires_at.
create table checkouts (
  account_id uuid not null references accounts (id),
  code text not null,
  id text not null,
  price text not null,
  customer text not null references provider_customers (customer),
  url text not null,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  replaced_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, code)
);
create index on checkouts (id);
create index on checkouts (expires_at) where replaced_at is not null and paid_at is null;

-- All events of the provider. The id is inserted in the same transaction as the event's effect. payload
-- contains only the fields that are read, nothing personal.
create table provider_events (
  id text primary key,
  type text not null,
  outcome text not null check (outcome in ('processed', 'ignored')),
  reason text,
  account_id uuid references accounts (id),
  subscription text,
  customer text,
  livemode boolean not null,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  -- The order of receipt, which decides between events of the same second.
  receipt bigint not null generated always as identity,
  check ((outcome = 'ignored') = (reason is not null))
);
create index on provider_events (received_at desc, id desc);
-- Those whose cause may need mending.
create index on provider_events (received_at desc, id desc)
  where outcome = 'ignored' and reason not in ('unsupported type', 'older than what is already applied');

-- Re-evaluations of ignored events: by whom, when, and with what result.
create table provider_event_reviews (
  id uuid primary key default uuidv7(),
  event_id text not null references provider_events (id),
  reviewed_by uuid not null references people (id),
  outcome text not null check (outcome in ('processed', 'ignored')),
  reason text,
  reviewed_at timestamptz(3) not null default now(),
  check ((outcome = 'ignored') = (reason is not null))
);
create index on provider_event_reviews (event_id, id);
