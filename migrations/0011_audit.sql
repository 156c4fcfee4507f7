-- Who changed what, with which credential and request, from where: everything that the account's log (events)
-- does not contain. The address is a keyed hash. No references to other tables, because entries outlive their
-- subjects. Rows are never changed.
create table audit_log (
  id uuid primary key,
  account_id uuid,
  action text not null,
  actor text not null check (actor in ('customer', 'operator', 'worker', 'service', 'provider')),
  -- The public id of what was changed.
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
-- The audit reads events by time. They are appended in that order, so BRIN is enough.
create index on events using brin (created_at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log rows are never changed or deleted';
end $$;
create trigger refuse_audit_change before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
