-- What one person was told. It stays for 90 days, so it refers to an account or a job without a foreign key.
create table notifications (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people (id) on delete cascade,
  kind text not null,
  side text not null check (side in ('customer', 'studio')),
  -- Null for what concerns the person alone.
  account_id uuid,
  job_id uuid,
  -- What happened, such as an event: nobody is told twice of the same.
  cause text not null,
  -- Such as the state of a plan.
  state text,
  -- What it happened to, such as the title of the job at that time.
  about text not null,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  -- Whether it waits for the mail of the day, and the mail that it was part of.
  daily boolean not null default false,
  digest_id uuid,
  unique (user_id, kind, cause),
  check (job_id is null or account_id is not null)
);
create index on notifications (user_id, side, created_at, id);
create index on notifications (user_id, side) where read_at is null;
create index on notifications (created_at) where daily;
create index on notifications (digest_id) where digest_id is not null;
create index on notifications (account_id, job_id);
create index on notifications (created_at);

-- Only what differs from the default of the kind.
create table notification_choices (
  user_id uuid not null references people (id) on delete cascade,
  kind text not null,
  mail text not null check (mail in ('now', 'daily', 'never')),
  primary key (user_id, kind)
);
insert into notification_choices (user_id, kind, mail)
select p.id, k.kind, 'never' from people p, (values ('message'), ('customer_message')) k (kind) where not p.mail_messages;
alter table people drop column mail_messages;

-- For the task that tells of keys that will end.
create index on api_keys (expires_at) where revoked_at is null;
