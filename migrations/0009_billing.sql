-- The provider's customer of an account, bound by the checkout that we started. A customer belongs to one provider: what
-- the sandbox or the test mode made is unknown in live mode. One that its provider no longer has is replaced, and stays
-- bound, because events about it may still come.
create table provider_customers (
  customer text primary key,
  account_id uuid not null references auth.account (id),
  provider text not null check (provider in ('sandbox', 'stripe_test', 'stripe_live')),
  gone_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create unique index on provider_customers (account_id, provider) where gone_at is null;

-- Whether the price of a plan was found at the provider as plans.yaml has it. `terms` is the price and the provider that
-- the verdict is about: for any other it says nothing, so that a process with another catalog or provider cannot open
-- checkout with it.
create table plan_prices (
  code text primary key,
  verified boolean not null,
  reason text,
  checked_at timestamptz(3) not null default now(),
  terms jsonb not null,
  check (verified = (reason is null))
);

-- The last checkout that an account started for a tier, so that asking again gives the same one. Several requests may
-- keep the same checkout at once, since the provider answers them alike. It grants nothing; paid_at is set when an event
-- of the provider grants the tier. One that was replaced by another, or whose account was closed, is not handed out
-- again; it can be paid until the provider has ended it, which sets expires_at.
create table checkouts (
  account_id uuid not null references auth.account (id),
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

-- Every event the provider sent, for ever: its id stands here in the same transaction as its effect.
-- payload holds the fields that were read, nothing personal.
create table provider_events (
  id text primary key,
  type text not null,
  outcome text not null check (outcome in ('processed', 'ignored')),
  reason text,
  account_id uuid references auth.account (id),
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

-- Who had an ignored event re-evaluated, when, and what came of it.
create table provider_event_reviews (
  id uuid primary key default uuidv7(),
  event_id text not null references provider_events (id),
  reviewed_by uuid not null references auth.user (id),
  outcome text not null check (outcome in ('processed', 'ignored')),
  reason text,
  reviewed_at timestamptz(3) not null default now(),
  check ((outcome = 'ignored') = (reason is not null))
);
create index on provider_event_reviews (event_id, id);
