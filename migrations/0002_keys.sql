-- API keys. The plaintext is never stored: the prefix finds the row, the SHA-256 proves the secret.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The person responsible for the key: its maker, or whoever took it over. Null once that person is deleted.
  created_by uuid references people (id) on delete set null,
  name text not null check (name <> ''),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  scopes text[] not null check (scopes <@ '{api:read,api:write}' and cardinality(scopes) > 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  -- Set when the key was rotated; it then ends after the grace period.
  rotated_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on api_keys (account_id, created_at desc, id desc);
create index on api_keys (created_by);

-- Worker keys, stored like API keys. They belong to the studio and give access to the desk. A key works only
-- while its maker is an operator.
create table worker_keys (
  id uuid primary key,
  created_by uuid not null references people (id),
  name text not null check (name <> ''),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  -- Null: all families.
  service_families text[] check (cardinality(service_families) > 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on worker_keys (created_by);
create index on worker_keys (created_at desc, id desc);
