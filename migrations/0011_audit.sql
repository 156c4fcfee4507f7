-- What was changed, by whom, with which credential, by which request and from where: everything that the log of an account
-- (events) does not tell. The address is a keyed hash. Nothing here refers to another table, because an entry outlives what
-- it tells of, and rows are only ever added.
create table audit_log (
  id uuid primary key,
  account_id uuid,
  action text not null,
  actor text not null check (actor in ('customer', 'operator', 'worker', 'service', 'provider')),
  -- The id of what was changed, as the API shows it.
  subject text not null,
  details jsonb,
  user_id uuid,
  api_key_id uuid,
  worker_key_id uuid,
  address_hash text,
  request_id text not null,
  created_at timestamptz(3) not null default now()
);
create index on audit_log (created_at desc, id desc);
create index on audit_log (account_id, created_at desc, id desc);
-- The audit reads events by time. They are appended in that order, so a summary of each range of pages is enough.
create index on events using brin (created_at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log rows are never changed or deleted';
end $$;
create trigger refuse_audit_change before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
