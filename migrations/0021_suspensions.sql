-- The studio suspends an account: its callers are refused when they change something (docs/guide/12). The columns
-- are on the row that every credential is read with. The reason is internal to the studio.
alter table accounts
  add suspended_since timestamptz(3),
  add suspended_by uuid,
  add suspension_reason text;
alter table accounts add foreign key (suspended_by) references people (id);
alter table accounts add check (char_length(suspension_reason) between 1 and 1000);
alter table accounts add check (num_nulls(suspended_since, suspended_by, suspension_reason) in (0, 3));
create index on accounts (suspended_by) where suspended_by is not null;
