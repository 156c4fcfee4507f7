-- The account of a subscription at the payment provider, because later events name only the subscription.
create table subscriptions (
  id text primary key,
  account_id uuid not null references accounts (id)
);

-- A grant: one row per subscription at the payment provider. Only billing writes it. A subscription that never
-- granted anything has a row, but no period.
create table entitlements (
  account_id uuid not null references accounts (id),
  id uuid not null default uuidv7(),
  subscription text not null references subscriptions (id),
  code text not null,
  name text not null,
  access_kind text not null check (access_kind in ('human', 'agent', 'both')),
  status text not null check (status in ('active', 'past_due', 'paused', 'canceled')),
  unit text not null,
  quota integer not null check (quota >= 0),
  concurrency_limit integer not null check (concurrency_limit >= 0),
  -- The last applied event, so that older ones change nothing.
  event_created_at timestamptz(3) not null,
  event_rank smallint not null,
  event_receipt bigint not null default 0,
  granted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, subscription)
);
create index on entitlements (account_id, granted_at desc, id desc);

-- The current period of an entitlement and its counter, changed in place: a statement that waited for the row
-- sees its newest version, but would not see a newly inserted row. used = the sum of the ledger for this
-- entitlement and period_start; it may exceed a reduced quota.
create table entitlement_periods (
  account_id uuid not null,
  entitlement_id uuid not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  used integer not null default 0 check (used >= 0),
  -- The newest granting event: it says what was paid for while the subscription is past due.
  grant_created_at timestamptz(3) not null,
  grant_rank smallint not null,
  grant_receipt bigint not null default 0,
  -- The first grant, from which months are counted if events contain no period.
  anchor timestamptz(3) not null,
  primary key (account_id, entitlement_id),
  foreign key (account_id, entitlement_id) references entitlements (account_id, id),
  check (period_end > period_start)
);
