-- An Idempotency-Key of an account with the answer it was given.
create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint text not null,
  status smallint not null,
  -- json and not jsonb: a replay is the same text, byte for byte.
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, route, key)
);
create index on idempotency_keys (created_at);

-- The same for the desk, whose callers act for no account: an operator or a worker key.
create table desk_idempotency_keys (
  caller_id uuid not null,
  -- Of the job in the answer: a closed account takes its answers with it. Null only while the request runs.
  account_id uuid,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint text not null,
  status smallint not null,
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (caller_id, route, key)
);
create index on desk_idempotency_keys (created_at);
create index on desk_idempotency_keys (account_id);
