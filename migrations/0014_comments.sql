-- Comments of members, keys and guests on files of a delivery. Until a revision sends them, no answer to the studio
-- may contain them. The customer reads the last columns from the next delivery on.
create table job_comments (
  account_id uuid not null,
  job_id uuid not null,
  id uuid not null default uuidv7(),
  -- The delivery: 0 is the first.
  round integer not null check (round >= 0),
  file_id uuid not null,
  -- A canonical fragment, as contract/place.ts writes it.
  at text check (char_length(at) between 1 and 100),
  text text not null check (char_length(text) between 1 and 2000),
  -- The author: a person, an API key, or a guest of a review link.
  user_id uuid,
  api_key_id uuid,
  guest_name text check (char_length(guest_name) between 1 and 100),
  review_link_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  done_at timestamptz(3),
  done_by_user uuid,
  done_by_worker_key uuid,
  done_note text check (char_length(done_note) between 1 and 2000),
  -- When the studio last marked it as done or reopened it.
  checked_at timestamptz(3),
  primary key (account_id, job_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  foreign key (account_id, file_id) references files (account_id, id),
  check (num_nonnulls(user_id, api_key_id, guest_name) = 1),
  check ((guest_name is null) = (review_link_id is null)),
  check (done_at is null or sent_at is not null),
  check (num_nonnulls(done_by_user, done_by_worker_key) = num_nonnulls(done_at)),
  check (done_note is null or done_at is not null)
);
-- The stream of the desk reads recent changes.
create index on job_comments (checked_at) where checked_at is not null;
create index on job_comments (account_id, review_link_id) where review_link_id is not null;

-- How often comments of an account have changed, and messages were withdrawn. Its open streams follow these numbers,
-- because neither is in an event.
create table unlogged_changes (
  account_id uuid primary key references accounts (id),
  comments bigint not null default 0,
  messages bigint not null default 0
);
