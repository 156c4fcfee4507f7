-- The outbox, written in the transaction of what a mail announces. A row contains neither texts nor tokens:
-- both are made when it is sent. A claim moves due_at ahead, so the claims of a killed process become due
-- again. A row is deleted once its mail is sent, no longer needed or expired. `user_id`: the person it is
-- about. `address`: the recipient, if not the person's current address.
create table mails (
  id uuid primary key default uuidv7(),
  kind text not null,
  user_id uuid references people (id) on delete cascade,
  address text check (address = lower(address)),
  data jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  -- In microseconds: rounded up, a mail would not be due right after its commit.
  due_at timestamptz not null default now(),
  expires_at timestamptz(3) not null,
  check (user_id is not null or address is not null)
);
create index on mails (due_at);
create index on mails (user_id);
create index on mails (address);
