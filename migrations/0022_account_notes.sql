-- What the operators should know about an account, one text. Internal: in no answer to the account and no export.
create table account_notes (
  account_id uuid primary key references accounts (id),
  body text not null check (char_length(body) between 1 and 10000),
  updated_by uuid not null references people (id),
  updated_at timestamptz(3) not null default now()
);
create index on account_notes (updated_by);
