-- The library lists finished jobs by the time of their end, and by what they are. Creates do not write this table, so
-- none of them waits while the index is built.
create index job_outcomes_finished on job_outcomes (account_id, ended_at desc, job_id desc)
  include (service_family, service_type) where status = 'completed';
