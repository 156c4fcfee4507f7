-- The studio suspends an account: its callers are refused when they change something (docs/guide/12). The columns
-- are on the row that every credential is read with. The reason is internal to the studio.
alter table accounts
  add column suspended_since timestamptz(3),
  add column suspended_by uuid references people (id),
  add column suspension_reason text check (char_length(suspension_reason) between 1 and 1000),
  add check (num_nulls(suspended_since, suspended_by, suspension_reason) in (0, 3));
create index on accounts (suspended_by) where suspended_by is not null;
