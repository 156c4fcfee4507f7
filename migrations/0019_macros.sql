-- Texts that the operators share and insert at the desk, with placeholders for facts of the job.
create table macros (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 60),
  text text not null check (char_length(text) between 1 and 5000),
  created_by uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index on macros (lower(name));
create index on macros (created_at desc, id desc);
create index on macros (created_by);
