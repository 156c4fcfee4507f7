-- The ledger: +1 for a created job and -1 for its reversal, each at most once per job.
create table usage_ledger (
  account_id uuid not null,
  job_id uuid not null,
  quantity integer not null check (quantity in (1, -1)),
  id uuid not null,
  entitlement_id uuid not null,
  plan_code text not null,
  period_start timestamptz(3) not null,
  api_key_id uuid,
  service_family text not null,
  unit text not null,
  -- The quantity of the reversed row; null for a charge.
  reverses integer generated always as (case when quantity = -1 then 1 end) stored,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, job_id, quantity),
  foreign key (account_id, job_id) references jobs (account_id, id),
  foreign key (account_id, entitlement_id) references entitlements (account_id, id),
  foreign key (account_id, job_id, reverses) references usage_ledger (account_id, job_id, quantity)
);
create index on usage_ledger (account_id, created_at desc, id desc);

-- Rows are never changed or deleted. To lock a charge for its reversal, Postgres needs the right to update some column:
-- nobody can write a generated one.
revoke update, delete, truncate on usage_ledger from current_user;
grant update (reverses) on usage_ledger to current_user;

-- Sums of the ledger by UTC day, written in the same transaction as the ledger.
create table usage_totals (
  account_id uuid not null,
  day date not null,
  entitlement_id uuid not null,
  period_start timestamptz(3) not null,
  service_family text not null,
  -- All zeros for jobs ordered without a key.
  api_key_id uuid not null default '00000000-0000-0000-0000-000000000000',
  quantity integer not null,
  primary key (account_id, day, entitlement_id, period_start, service_family, api_key_id),
  foreign key (account_id, entitlement_id) references entitlements (account_id, id)
);
