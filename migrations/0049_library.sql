-- The library lists finished jobs by the time of their end, and by what they are. Creates do not write this table, so
-- none of them waits while the index is built.
create index job_outcomes_finished on job_outcomes (account_id, ended_at desc, job_id desc)
  include (service_family, service_type) where status = 'completed';

-- A link to finished work shows the last delivery of each of these completed jobs, and no comments; job_id is the
-- first of them. Null: the link is for the review of one job. Its tokens begin with a lead of their own, which the
-- version before does not know.
alter table review_links
  add column shown_jobs uuid[] check (cardinality(shown_jobs) between 1 and 50),
  add constraint review_links_shown check (shown_jobs is null or not can_comment);
create index on review_links (account_id, created_at desc, id desc) where shown_jobs is not null;
