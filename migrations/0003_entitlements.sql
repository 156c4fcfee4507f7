-- What an account was granted: one row per subscription at the payment provider. Written by billing only.
-- A subscription that never granted anything (its first event revoked) has a row, but no period.
create table entitlements (
  id uuid primary key default uuidv7(),
  account_id uuid not null references auth.account (id),
  subscription text not null unique,
  code text not null,
  name text not null,
  access_kind text not null check (access_kind in ('human', 'agent', 'both')),
  status text not null check (status in ('active', 'past_due', 'canceled')),
  unit text not null,
  quota integer not null check (quota >= 0),
  concurrency_limit integer not null check (concurrency_limit >= 0),
  -- What was applied last, so that an older event changes nothing.
  event_created_at timestamptz(3) not null,
  event_rank smallint not null,
  granted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on entitlements (account_id);

-- The current period of an entitlement with its counter. One row that is changed in place: a statement
-- that waited for it sees the newest version, which it would not of a row inserted meanwhile.
-- used = the sum of the ledger for this entitlement and period_start; it may exceed a quota that shrank.
create table entitlement_periods (
  entitlement_id uuid primary key references entitlements (id),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  used integer not null default 0 check (used >= 0),
  -- The newest event that granted: what was paid for while a later one is past due.
  grant_created_at timestamptz(3) not null,
  grant_rank smallint not null,
  -- Where events bring no period, months are counted from here: the first grant.
  anchor timestamptz(3) not null,
  check (period_end > period_start)
);
