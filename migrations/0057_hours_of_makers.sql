-- Time that operators note on jobs. The customer never sees it.
create table job_times (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  job_id uuid not null,
  user_id uuid not null references people (id),
  minutes integer not null check (minutes between 1 and 1440),
  worked_on date not null,
  words text check (char_length(words) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index on job_times (account_id, job_id);
create index on job_times (worked_on);
create index on job_times (user_id);
-- Jobs that an operator set aside until a date; ending it by hand moves the date to then. It counts while the date is to
-- come and the job has had no event since `after_seq` by which the customer acted or the job moved.
create table jobs_set_aside (
  account_id uuid not null,
  job_id uuid not null,
  user_id uuid not null references people (id),
  reason text not null check (char_length(reason) between 1 and 500),
  after_seq integer not null,
  set_aside_at timestamptz(3) not null default now(),
  set_aside_until timestamptz(3) not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
-- Streams of the queue look up what was set aside or came back a moment ago.
create index on jobs_set_aside (set_aside_at);
create index on jobs_set_aside (set_aside_until);
create index on jobs_set_aside (user_id);
-- What the service option asks makers to check before they submit: a term of the option, copied at creation.
alter table jobs add column checklist text[] not null default '{}';
alter table jobs add check (cardinality(checklist) <= 20) not valid;
-- Items of the checklist that an operator ticked in a round of the job, by their place.
create table job_ticks (
  account_id uuid not null,
  job_id uuid not null,
  round integer not null check (round >= 0),
  item integer not null check (item between 0 and 19),
  user_id uuid not null references people (id),
  ticked_at timestamptz(3) not null default now(),
  primary key (account_id, job_id, round, item),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index on job_ticks (user_id);
