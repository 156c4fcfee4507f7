-- What matters about an account is found by these, such as all that are overdue or whose plan will end.
create index entitlements_in_trouble on entitlements (status, account_id)
  where status in ('past_due', 'paused', 'stopped') or collection_paused;
create index entitlements_ending on entitlements (ends_at, account_id)
  where status in ('active', 'past_due') and ends_at is not null;
create index accounts_suspended on accounts (suspended_since) where suspended_since is not null;

-- What only some roles are told has a side of its own, which the version before does not read: it has no words for it.
alter table notifications drop constraint notifications_side_check,
  add constraint notifications_side_check check (side in ('customer', 'studio', 'office'));
