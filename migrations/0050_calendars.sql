-- A calendar of next dates: whoever has its address reads when something comes next in the open jobs of an account. One
-- of each member at most; it ends with the membership. Only the address has the token; the row has the SHA-256.
create table calendars (
  account_id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  -- Whether it shows the titles of jobs, which may be secret.
  with_titles boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references members (account_id, user_id) on delete cascade
);
create index on calendars (user_id);
