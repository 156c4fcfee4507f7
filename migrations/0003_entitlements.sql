-- Which account a subscription at the payment provider belongs to: an event names the subscription alone.
create table subscriptions (
  id text primary key,
  account_id uuid not null references auth.account (id)
);

-- What an account was granted: one row per subscription at the payment provider. Written by billing only.
-- A subscription that never granted anything (its first event revoked) has a row, but no period.
create table entitlements (
  account_id uuid not null references auth.account (id),
  id uuid not null default uuidv7(),
  subscription text not null references subscriptions (id),
  code text not null,
  name text not null,
  access_kind text not null check (access_kind in ('human', 'agent', 'both')),
  status text not null check (status in ('active', 'past_due', 'paused', 'canceled')),
  unit text not null,
  quota integer not null check (quota >= 0),
  concurrency_limit integer not null check (concurrency_limit >= 0),
  -- What was applied last, so that an older event changes nothing.
  event_created_at timestamptz(3) not null,
  event_rank smallint not null,
  event_receipt bigint not null default 0,
  granted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, subscription)
);

-- The current period of an entitlement with its counter. One row that is changed in place: a statement
-- that waited for it sees the newest version, which it would not of a row inserted meanwhile.
-- used = the sum of the ledger for this entitlement and period_start; it may exceed a quota that shrank.
create table entitlement_periods (
  account_id uuid not null,
  entitlement_id uuid not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  used integer not null default 0 check (used >= 0),
  -- The newest event that granted: what was paid for while a later one is past due.
  grant_created_at timestamptz(3) not null,
  grant_rank smallint not null,
  grant_receipt bigint not null default 0,
  -- Where events bring no period, months are counted from here: the first grant.
  anchor timestamptz(3) not null,
  primary key (account_id, entitlement_id),
  foreign key (account_id, entitlement_id) references entitlements (account_id, id),
  check (period_end > period_start)
);
