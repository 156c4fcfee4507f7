-- What the customer and the studio write to each other about a job. A withdrawn message has lost its text. A question stops
-- the clock of its job until it is answered, withdrawn, or closed by a move.
create table job_messages (
  account_id uuid not null,
  job_id uuid not null,
  id uuid not null default uuidv7(),
  author text not null check (author in ('customer', 'studio', 'worker')),
  user_id uuid,
  api_key_id uuid,
  worker_key_id uuid,
  text text check (char_length(text) between 1 and 5000),
  question boolean not null default false,
  answered_at timestamptz(3),
  closed_at timestamptz(3),
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (account_id, job_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (num_nonnulls(user_id, api_key_id, worker_key_id) = 1),
  check (author <> 'customer' or worker_key_id is null),
  check (author <> 'studio' or user_id is not null),
  check (author <> 'worker' or worker_key_id is not null),
  check (not question or author <> 'customer'),
  check (question or (answered_at is null and closed_at is null)),
  check (num_nonnulls(answered_at, closed_at) <= 1)
);
create index on job_messages (account_id, job_id) where question and answered_at is null and closed_at is null and withdrawn_at is null;
-- What a person has not read yet is counted by these.
create index on job_messages (account_id, created_at) where author <> 'customer';
create index on job_messages (created_at) where author = 'customer';
-- The stream of the desk reads recent changes.
create index on job_messages (withdrawn_at) where withdrawn_at is not null;

-- Files of a message, in its order. A file belongs to one message at most.
create table job_message_files (
  account_id uuid not null,
  job_id uuid not null,
  message_id uuid not null,
  position smallint not null check (position >= 0),
  file_id uuid not null,
  primary key (account_id, job_id, message_id, position),
  unique (account_id, file_id),
  foreign key (account_id, job_id, message_id) references job_messages (account_id, job_id, id),
  foreign key (account_id, file_id) references files (account_id, id)
);

-- How a person follows a thread: up to which message they have read, and whether they chose mails or no mails. Without that choice, whoever ordered the job or wrote in its thread follows it.
create table job_readers (
  account_id uuid not null,
  job_id uuid not null,
  user_id uuid not null references people (id) on delete cascade,
  read_message_id uuid,
  following boolean,
  primary key (account_id, job_id, user_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index on job_readers (user_id);
