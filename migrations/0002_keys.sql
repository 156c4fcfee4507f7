-- API keys. The plaintext is never stored: the prefix finds the row, the SHA-256 of the secret proves it.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references auth.account (id),
  -- Who answers for the key: whoever made it, or took it over. Null once that person is gone.
  created_by uuid references auth.user (id) on delete set null,
  name text not null check (name <> ''),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  scopes text[] not null check (scopes <@ '{api:read,api:write}' and cardinality(scopes) > 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  -- A newer key has its place; its end is that of the grace.
  rotated_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on api_keys (account_id, created_at desc, id desc);
create index on api_keys (created_by);

-- Keys of workers, the automated fulfillers: kept like API keys, but they belong to the studio and open the desk. A key works
-- only while its maker is an operator.
create table worker_keys (
  id uuid primary key,
  created_by uuid not null references auth.user (id),
  name text not null check (name <> ''),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  -- Null: jobs of every family.
  service_families text[] check (cardinality(service_families) > 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on worker_keys (created_by);
