-- Filter and order of the list of jobs, saved by an operator: their own, or shared with all operators. The filter
-- is one that the list takes.
create table saved_views (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 60),
  shared boolean not null,
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  created_by uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on saved_views (created_at, id);
create index on saved_views (created_by);
