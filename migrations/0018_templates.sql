-- An order to start from, which the members of an account share. Its files are `files` with its template_id.
-- The creator has no foreign keys, as in jobs.
create table templates (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  service_family text not null,
  service_type text,
  answers jsonb not null check (jsonb_typeof(answers) = 'array' and jsonb_array_length(answers) <= 50),
  words text not null check (char_length(words) <= 20000),
  created_by_user uuid,
  created_by_key uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  check (num_nonnulls(created_by_user, created_by_key) = 1)
);
create unique index on templates (account_id, lower(name));
create index on templates (account_id, created_at desc, id desc);
