-- The provider's customer of an account, bound by the checkout that we started.
create table provider_customers (
  customer text primary key,
  account_id uuid not null unique references auth.account (id),
  created_at timestamptz(3) not null default now()
);

-- Whether the price of a plan was found at the provider as plans.yaml has it.
create table plan_prices (
  code text primary key,
  verified boolean not null,
  reason text,
  checked_at timestamptz(3) not null default now(),
  check (verified = (reason is null))
);

-- The last checkout that an account started for a tier, so that asking again gives the same one.
-- It grants nothing; paid_at is set when an event of the provider grants the tier.
create table checkouts (
  id text primary key,
  account_id uuid not null references auth.account (id),
  code text not null,
  price text not null,
  customer text not null references provider_customers (customer),
  url text not null,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (account_id, code)
);

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
  check ((outcome = 'ignored') = (reason is not null))
);
create index on provider_events (received_at desc, id desc);
