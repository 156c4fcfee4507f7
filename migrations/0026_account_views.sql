-- A session of an operator may show the pages of a customer for a while, read only (docs/decisions/0039). The
-- account is read with the session. A view whose time is over stays until the next one and shows nothing.
alter table sessions
  add viewed_account_id uuid,
  add viewed_until timestamptz(3);
alter table sessions add foreign key (viewed_account_id) references accounts (id) on delete set null;
alter table sessions add check (viewed_account_id is null or viewed_until is not null);
create index on sessions (viewed_account_id) where viewed_account_id is not null;
