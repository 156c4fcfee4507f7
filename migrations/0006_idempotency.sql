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

-- The same for callers who act for no account: a person, an operator or a worker key.
create table caller_idempotency_keys (
  caller_id uuid not null,
  -- The account that the answer is about; closing it deletes the answer. Null for an answer about no account.
  account_id uuid,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint text not null,
  status smallint not null,
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (caller_id, route, key)
);
create index on caller_idempotency_keys (created_at);
create index on caller_idempotency_keys (account_id);
