-- A one-time address where somebody without a credential sends the bytes of a pending upload (docs/decisions/0054). It
-- works until expires_at, until the file is uploaded, and as long as its maker may act for the account: the API key or
-- the grant of an app, or the session of a member. The token is made from this row by a key of the installation, so that
-- a repeat of the request names the same address; here is its SHA-256. A token names no account, so the table is found
-- without one and refers to none of the account's rows.
create table upload_pages (
  token_sha256 bytea primary key check (length(token_sha256) = 32),
  account_id uuid not null,
  file_id uuid not null,
  created_by_key uuid references api_keys (id) on delete cascade,
  created_by_session uuid references sessions (id) on delete cascade,
  expires_at timestamptz(3) not null,
  unique (account_id, file_id),
  check (num_nonnulls(created_by_key, created_by_session) = 1)
);
create index on upload_pages (created_by_key);
create index on upload_pages (created_by_session);
create index on upload_pages (expires_at);
