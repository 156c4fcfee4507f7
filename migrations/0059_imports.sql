-- Customers and past jobs that `npm run admin -- import` brought from elsewhere (docs/decisions/0116). No event, usage,
-- mail or figure is about such a job, and what counts from its end counts from the import if that was later. Only new
-- rows are checked, because a scan would hold the tables for long.
alter table accounts add column imported_at timestamptz(3);
alter table job_outcomes add column imported_at timestamptz(3);
alter table jobs add column imported_at timestamptz(3);
alter table jobs add constraint jobs_imported_ended
  check (imported_at is null or status in ('completed', 'rejected', 'canceled')) not valid;

-- The library counts files from the import. Creates do not write this table, so none of them waits for the index.
create index on job_outcomes (account_id, imported_at) where imported_at is not null;

-- Each row of an import by the SHA-256 of its external id, so that a repeated import finds what it became: an account, a
-- person or a job. These rows outlive what they name, so that nobody who was deleted comes back, and hold no text:
-- `columns` has a short digest of each column, and is null once the words were erased.
create table imported_rows (
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('customer', 'person', 'job')),
  digest bytea not null check (length(digest) = 32),
  row_id uuid not null,
  columns jsonb check (jsonb_typeof(columns) = 'object'),
  imported_at timestamptz(3) not null default now(),
  primary key (account_id, kind, digest)
);
create unique index imported_customers on imported_rows (digest) where kind = 'customer';
create index on imported_rows (row_id) where kind = 'person';

-- Imported people who have not joined. They are rows of `people` under an address that nobody has, without a password,
-- so that jobs can name them. Who accepts an invitation to the account with this address takes their place.
create table imported_people (
  account_id uuid not null references accounts (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'member', 'reviewer')),
  primary key (account_id, email)
);
create index on imported_people (person_id);
create index on imported_people (email);
