-- Rows of the ledger that owners of the studio write: quota charged, or given back if negative, in one period of an
-- entitlement. They have no job, so they stand beside usage_ledger: whoever sums one sums both.
create table quota_adjustments (
  account_id uuid not null,
  id uuid not null,
  entitlement_id uuid not null,
  plan_code text not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  quantity integer not null check (quantity <> 0),
  unit text not null,
  -- The customer reads it.
  reason text not null check (char_length(reason) between 1 and 500),
  created_by uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, entitlement_id) references entitlements (account_id, id)
);
create index on quota_adjustments (account_id, created_at desc, id desc);
create index on quota_adjustments (created_by);

-- Rows are never changed or deleted; closing an account overwrites the text of its reasons and nothing else.
revoke update, delete, truncate on quota_adjustments from current_user;
grant update (reason) on quota_adjustments to current_user;
