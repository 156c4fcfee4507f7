-- A link by which somebody without an account sees the deliveries of one job. Its token is stored like an API
-- key: the prefix finds the row, the SHA-256 proves the secret. A guest names no account, so no key begins with it,
-- and there is no reference to jobs.
create table review_links (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  job_id uuid not null,
  name text not null check (name <> ''),
  can_comment boolean not null,
  -- The maker: a person or an API key. The link ends with the membership of the one or the revocation of the
  -- other. Both are null once the person is deleted.
  created_by_user uuid references people (id) on delete set null,
  created_by_key uuid references api_keys (id),
  prefix text not null unique check (prefix ~ '^[0-9a-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- When a guest first opened it.
  opened_at timestamptz(3),
  revoked_at timestamptz(3),
  check (num_nonnulls(created_by_user, created_by_key) <= 1)
);
create index on review_links (account_id, job_id, created_at desc, id desc);
create index on review_links (created_by_user);
create index on review_links (created_by_key);
