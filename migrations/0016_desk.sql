-- What an operator has prepared for the next submission of a job: the message and the files in their order. It
-- belongs to the job, so it survives a release and a hand-over, and is deleted by a submission or the job's end.
create table job_drafts (
  account_id uuid not null,
  job_id uuid not null,
  message text not null check (char_length(message) <= 10000),
  file_ids uuid[] not null,
  saved_by uuid not null references people (id),
  saved_at timestamptz(3) not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);

-- Operators who have a job open. Their pages say so every 30 seconds. A crash of the database may lose this.
create unlogged table job_viewers (
  account_id uuid not null,
  job_id uuid not null,
  user_id uuid not null references people (id),
  seen_at timestamptz(3) not null,
  primary key (account_id, job_id, user_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index on job_viewers (seen_at);
create index on job_viewers (user_id);

-- What an operator takes from the queue by a claim. Without a row: all families, and the limit of the contract.
create table operator_settings (
  user_id uuid primary key references people (id) on delete cascade,
  -- Null for all families of the catalog.
  service_families text[] check (cardinality(service_families) between 1 and 100),
  held_limit smallint not null check (held_limit between 1 and 100)
);

-- The words of a text, without endings of any language. Signs separate words, so that a file name has some.
create function words_of(text) returns tsvector language sql immutable parallel safe as $$
  select strip(to_tsvector('simple', translate($1, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))))
$$;
-- All words of a search; each may be the beginning of one. Null without a word, which matches nothing.
create function words_query(text) returns tsquery language sql immutable parallel safe as $$
  select string_agg(quote_literal(word) || ':*', ' & ')::tsquery from unnest(tsvector_to_array(words_of($1))) word
$$;

-- The words of title and brief, for the search of the desk. Written a few seconds after the job, because a brief
-- has many words and a create must not wait for them; the search reads newer jobs themselves.
create table job_words (
  account_id uuid not null,
  job_id uuid not null,
  created_at timestamptz(3) not null,
  words tsvector not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index on job_words using gin (words);
create index on job_words (created_at);
create index on files using gin (words_of(file_name)) where job_id is not null and brand_position is null;

-- Why the desk moved the due date of a job, for the customer. job_seq is the number of the event, which has the dates.
create table job_due_date_changes (
  account_id uuid not null,
  job_id uuid not null,
  job_seq integer not null check (job_seq > 0),
  reason text not null check (char_length(reason) between 1 and 500),
  primary key (account_id, job_id, job_seq),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
