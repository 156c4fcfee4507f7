-- A conversation of an account with the concierge. `talk` is what the rules remember of it; `brief` is what it proposes,
-- there from the first proposal on. That it expired is told by the clock, not by the status.
create table intake_sessions (
  account_id uuid not null references auth.account (id),
  id uuid not null,
  status text not null check (status in ('open', 'brief_ready', 'confirmed')),
  service_family text not null,
  talk jsonb not null,
  brief jsonb,
  job_id uuid,
  -- Messages so far; the number of the last one.
  last_seq integer not null default 0 check (last_seq between 0 and 200),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '7 days',
  primary key (account_id, id),
  unique (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check ((status = 'open') = (brief is null)),
  check ((status = 'confirmed') = (job_id is not null))
);
create index on intake_sessions (account_id, expires_at) where status in ('open', 'brief_ready');

-- What was said, in order. Messages are never changed.
create table intake_messages (
  account_id uuid not null,
  session_id uuid not null,
  seq integer not null check (seq between 1 and 200),
  id uuid not null,
  role text not null check (role in ('customer', 'concierge')),
  content text not null check (content <> ''),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, session_id, seq),
  foreign key (account_id, session_id) references intake_sessions (account_id, id)
);
