-- Mails that are still to go out, queued in the transaction of what they announce. A row holds neither texts nor tokens: both
-- are made when its turn comes. A claim moves due_at ahead, so what a killed process had claimed comes due by itself. A row
-- goes when its mail has gone, has lost its purpose or has expired. `user_id`: the person whom it is about; `address`: where it
-- goes, if not to the address that they have by then.
create table mails (
  id uuid primary key default uuidv7(),
  kind text not null,
  user_id uuid references auth.user (id) on delete cascade,
  address text check (address = lower(address)),
  data jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  -- To the microsecond: rounded up, a mail would not be due just after its commit.
  due_at timestamptz not null default now(),
  expires_at timestamptz(3) not null,
  check (user_id is not null or address is not null)
);
create index on mails (due_at);
create index on mails (user_id);
create index on mails (address);
