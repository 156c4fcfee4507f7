-- Idempotency-Keys of accounts with their answers.
create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint text not null,
  status smallint not null,
  -- json, because jsonb would not preserve the text byte for byte.
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, route, key)
);
create index on idempotency_keys (created_at);

-- The same for callers of the desk, who have no account: operators and worker keys.
create table desk_idempotency_keys (
  caller_id uuid not null,
  -- The account of the job in the answer, so that closing the account deletes the answer. Null while the
  -- request runs.
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
