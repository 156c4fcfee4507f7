-- Several requests may keep the same checkout at once, since the provider answers them alike. A second unique index
-- would make all but one fail: `on conflict` looks at one index only.
alter table checkouts
  drop constraint checkouts_pkey,
  drop constraint checkouts_account_id_code_key,
  add primary key (account_id, code);
create index on checkouts (id);
