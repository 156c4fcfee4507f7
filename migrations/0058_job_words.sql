-- Jobs whose words are not stored yet, or no longer: whoever writes a message or note, or takes one back, queues its job.
-- The task that stores words queues new jobs, which it finds by their date, as the version before does.
create table unindexed_jobs (
  account_id uuid not null,
  job_id uuid not null,
  queued_at timestamptz(3) not null default now(),
  primary key (account_id, job_id)
);
create index on unindexed_jobs (queued_at);

-- What the desk finds a job by: title, brief, messages that were not withdrawn, and notes. Names change and end, so
-- the account and the person who ordered are words of their own that no text contains, and names are looked up at each search.
-- A thread may be longer than a tsvector takes: its newest part counts.
create function words_of_job(account uuid, job uuid) returns tsvector language sql stable parallel safe as $$
  select words_of(left(concat_ws(' ', j.customer_title, j.customer_instructions, (
      select string_agg(t.text, ' ' order by t.created_at desc) from (
        select m.text, m.created_at from job_messages m
        where m.account_id = account and m.job_id = job and m.withdrawn_at is null
        union all
        select n.body, n.created_at from job_notes n where n.account_id = account and n.job_id = job) t)), 200000))
    || array_to_tsvector(array_remove(array['#' || j.account_id, '#' || j.created_by_user], null))
  from jobs j where j.account_id = account and j.id = job
$$;

-- Whether the words are all of these, or those of title and brief, which the version before stores. The task that stores
-- words replaces the latter after the start, because a job must not wait for all of them.
alter table job_words add column complete boolean not null default false;
create index job_words_incomplete on job_words (created_at) where not complete;

-- Which jobs ended on which days.
create index jobs_ended on jobs (status_changed_at, id) where status in ('completed', 'rejected', 'canceled');
