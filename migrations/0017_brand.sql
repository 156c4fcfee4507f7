-- What an account wants to be known with every job: facts as [{ label, text }]. The files of the kit are
-- `files` with a brand_position.
create table brand_kits (
  account_id uuid primary key references accounts (id),
  facts jsonb not null check (jsonb_typeof(facts) = 'array' and jsonb_array_length(facts) <= 20),
  version integer not null check (version > 0),
  updated_at timestamptz(3) not null default now(),
  updated_by_user uuid,
  updated_by_key uuid,
  check (num_nonnulls(updated_by_user, updated_by_key) = 1)
);

-- The facts as they were when a job was ordered. Jobs without facts have no row.
create table job_brands (
  account_id uuid not null,
  job_id uuid not null,
  facts jsonb not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
