-- What a job came to, written once when it ends (docs/decisions/0040): reports add up these rows by the time of the
-- end. A job belongs to the operator or worker who submitted its first delivery, or, without a delivery, to the operator
-- who rejected it.
create table job_outcomes (
  account_id uuid not null,
  job_id uuid not null,
  ended_at timestamptz(3) not null,
  status text not null check (status in ('completed', 'rejected', 'canceled')),
  service_family text not null,
  service_type text not null,
  -- No foreign keys, because each check would lock the same row for every job.
  operator_id uuid,
  worker_key_id uuid,
  -- From the creation to the first delivery, without the time in which a question was open. Null without a delivery.
  turnaround_seconds integer check (turnaround_seconds >= 0),
  -- Deliveries that had a due date, and those of them that kept it as it was at their release.
  due_deliveries smallint not null check (due_deliveries >= 0),
  on_time_deliveries smallint not null check (on_time_deliveries between 0 and due_deliveries),
  revision_rounds integer not null check (revision_rounds >= 0),
  reason_code text,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (operator_id is null or worker_key_id is null),
  check ((reason_code is not null) = (status = 'rejected'))
);
create index on job_outcomes (ended_at);

-- A round that promises no due date kept the date of an earlier one.
update job_submissions s set due_at = null from jobs j
where j.account_id = s.account_id and j.id = s.job_id and s.round > 0 and j.revision_hours is null and s.due_at is not null;

-- The outcomes as they follow from jobs, submissions, questions and events.
create view computed_job_outcomes as
select j.account_id, j.id as job_id, j.status_changed_at as ended_at, j.status, j.service_family, j.service_type,
  maker.user_id as operator_id, maker.worker_key_id,
  case when delivery.id is not null then
    greatest(0, round(extract(epoch from delivery.released_at - j.created_at) - pauses.seconds))::integer
  end as turnaround_seconds,
  deliveries.due as due_deliveries, deliveries.on_time as on_time_deliveries, j.revisions_used as revision_rounds, j.reason_code
from jobs j
left join job_submissions delivery on delivery.account_id = j.account_id and delivery.job_id = j.id
  and delivery.round = 0 and delivery.released_at is not null
left join lateral (
  select e.user_id, e.worker_key_id from events e
  where e.account_id = j.account_id and e.job_id = j.id
    and ((delivery.id is not null and e.type = 'job.submitted' and e.data ->> 'round' = '0')
      or (delivery.id is null and e.type = 'job.rejected'))
  order by e.job_seq desc limit 1) maker on true
cross join lateral (
  select coalesce(sum(extract(epoch from upper(pause) - lower(pause))), 0) as seconds
  from (
    select unnest(range_agg(tstzrange(q.created_at,
      greatest(q.created_at, least(q.answered_at, q.closed_at, q.withdrawn_at, delivery.released_at))))) as pause
    from job_messages q where q.account_id = j.account_id and q.job_id = j.id and q.question) questions) pauses
cross join lateral (
  select count(s.due_at) as due, count(*) filter (where s.released_at <= s.due_at) as on_time
  from job_submissions s where s.account_id = j.account_id and s.job_id = j.id and s.released_at is not null) deliveries
where j.status in ('completed', 'rejected', 'canceled');

insert into job_outcomes select * from computed_job_outcomes;
