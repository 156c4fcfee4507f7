-- A conversation of an account with the concierge. `talk` is what the rules remember of it; `brief` is what it proposes,
-- there from the first proposal on. That it expired is told by the clock, not by the status.
create table intake_sessions (
  id uuid primary key,
  account_id uuid not null references auth.account (id),
  status text not null check (status in ('open', 'brief_ready', 'confirmed')),
  service_family text not null,
  talk jsonb not null,
  brief jsonb,
  job_id uuid unique,
  -- Messages so far; the number of the last one.
  last_seq integer not null default 0 check (last_seq between 0 and 200),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '7 days',
  foreign key (account_id, job_id) references jobs (account_id, id),
  check ((status = 'open') = (brief is null)),
  check ((status = 'confirmed') = (job_id is not null))
);
create index on intake_sessions (account_id, expires_at) where status in ('open', 'brief_ready');

-- What was said, in order. Messages are never changed.
create table intake_messages (
  id uuid primary key,
  session_id uuid not null references intake_sessions (id),
  seq integer not null check (seq between 1 and 200),
  role text not null check (role in ('customer', 'concierge')),
  content text not null check (content <> ''),
  created_at timestamptz(3) not null default now(),
  unique (session_id, seq)
);

-- The brief that a job was created from, as it was confirmed; null for jobs that were created without a conversation.
alter table jobs add column intent_brief jsonb;
alter table jobs add check (intent_brief is null or source = 'intake');
