-- Orders of people who may not create jobs: each is a ready draft that waits for an owner or admin. Lapsing depends on the
-- clock, not on the status. The version before deletes drafts without knowing of these, which go with them.
create table orders (
  account_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'confirmed', 'declined', 'ended')),
  source text not null check (source in ('api', 'dashboard', 'intake')),
  -- The request that came, null for a brief; and how it is known again.
  body jsonb,
  route text not null,
  key text check (char_length(key) between 1 and 255),
  fingerprint text not null,
  -- Without foreign keys, as in jobs.
  created_by_user uuid,
  created_by_key uuid,
  created_at timestamptz(3) not null default now(),
  lapses_at timestamptz(3) not null default now() + interval '7 days',
  -- Who confirmed or declined which version of the draft, and why not.
  decided_by uuid,
  decided_at timestamptz(3),
  version integer check (version > 0),
  words text check (char_length(words) <= 2000),
  job_id uuid,
  primary key (account_id, id),
  foreign key (account_id, session_id) references intake_sessions (account_id, id) on delete cascade,
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (num_nonnulls(created_by_user, created_by_key) = 1),
  check (num_nonnulls(decided_by, decided_at, version) = case when status in ('confirmed', 'declined') then 3 else 0 end),
  check ((status = 'confirmed') = (job_id is not null)),
  check ((status = 'declined') = (words is not null))
);
create index on orders (account_id, created_at desc, id desc);
create index on orders (account_id, session_id);
create index on orders (account_id, route, key) where key is not null;
create index on orders (account_id, lapses_at) where status = 'waiting';
