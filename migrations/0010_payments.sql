-- A customer belongs to one provider: what the sandbox or the test mode made is unknown in live mode. One that its
-- provider no longer has is replaced, and stays bound, because events about it may still come.
alter table provider_customers
  add column provider text not null default 'sandbox' check (provider in ('sandbox', 'stripe_test', 'stripe_live')),
  add column gone_at timestamptz(3),
  drop constraint provider_customers_account_id_key;
alter table provider_customers alter column provider drop default;
create unique index on provider_customers (account_id, provider) where gone_at is null;

-- The price of plans.yaml and the provider that a verdict is about: for any other it says nothing, so that a process
-- with another catalog or provider cannot open checkout with it. The start verifies anew.
delete from plan_prices;
alter table plan_prices add column terms jsonb not null;

-- Who had an ignored event judged again, when, and what came of it.
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
