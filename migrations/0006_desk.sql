-- Internal notes on a job; never shown to a customer.
create table job_notes (
  id uuid primary key default uuidv7(),
  job_id uuid not null references jobs (id),
  author_id uuid not null references auth.user (id),
  body text not null,
  created_at timestamptz(3) not null default now()
);
create index on job_notes (job_id, created_at, id);

-- What was said with each submission of work.
create table job_submissions (
  id uuid primary key default uuidv7(),
  job_id uuid not null references jobs (id),
  message text,
  created_at timestamptz(3) not null default now()
);
create index on job_submissions (job_id, created_at, id);
