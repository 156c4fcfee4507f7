-- An order in preparation, which a form and a conversation edit. `draft` is all that is known, `brief` what can
-- be confirmed. Expiry depends on the clock, not on the status.
create table intake_sessions (
  account_id uuid not null references accounts (id),
  id uuid not null,
  status text not null check (status in ('open', 'brief_ready', 'confirmed', 'closed')),
  draft jsonb not null,
  brief jsonb,
  job_id uuid,
  -- The number of the last message.
  last_seq integer not null default 0 check (last_seq between 0 and 200),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '30 days',
  -- Who began it, without foreign keys, as in jobs.
  created_by_user uuid,
  created_by_key uuid,
  primary key (account_id, id),
  unique (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (case status when 'open' then brief is null when 'closed' then true else brief is not null end),
  check ((status = 'confirmed') = (job_id is not null)),
  check (num_nonnulls(created_by_user, created_by_key) = 1)
);
create index on intake_sessions (account_id, expires_at) where status in ('open', 'brief_ready');
create index on intake_sessions (account_id, created_at desc, id desc);

-- The messages in order, never changed. `understood`: the answers that the previous message gave.
create table intake_messages (
  account_id uuid not null,
  session_id uuid not null,
  seq integer not null check (seq between 1 and 200),
  id uuid not null,
  role text not null check (role in ('customer', 'concierge')),
  content text not null check (content <> ''),
  understood jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  primary key (account_id, session_id, seq),
  foreign key (account_id, session_id) references intake_sessions (account_id, id)
);
