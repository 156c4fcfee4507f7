import { sql } from 'kysely';
import { type JobStatus, moves } from '../../contract/moves.ts';
import { gap } from '../events/restart-feed.ts';
import type { Check } from './contradiction.ts';

const hasCounters: Check = {
  rule: 'Each account has its counters.',
  meaning: 'No job of the account can be created or moved.',
  subject: 'acct',
  contradictions: sql`
    select a.id as account_id, a.id as subject, 'has no row in account_counters' as fault
    from accounts a left join account_counters c on c.account_id = a.id
    where c.account_id is null`,
};

const activeJobs: Check = {
  rule: 'An account counts as many active jobs as it has jobs that have not ended.',
  meaning:
    'The concurrency limit refuses too early or too late. The jobs are right: set `active_jobs` to their number.',
  subject: 'acct',
  contradictions: sql`
    select c.account_id, c.account_id as subject,
      'counts ' || c.active_jobs || ' active jobs, but has ' || coalesce(n.jobs, 0) as fault
    from account_counters c
    left join (
      select account_id, count(*) as jobs from jobs where status not in ('completed', 'rejected', 'canceled') group by 1
    ) n using (account_id)
    where c.active_jobs <> coalesce(n.jobs, 0)`,
};

const lastEvent: Check = {
  rule: 'The counter of events is the number of the newest event.',
  meaning: 'Readers of the log wait for an event that is not there, or the next event takes a number twice.',
  subject: 'acct',
  contradictions: sql`
    select c.account_id, c.account_id as subject,
      'counts ' || c.last_event || ' events, but the newest has the number ' || greatest(n.seq, c.expired_event, 0) as fault
    from account_counters c
    left join (select account_id, max(seq) as seq from events group by 1) n using (account_id)
    where c.last_event <> greatest(n.seq, c.expired_event, 0)`,
};

/** Deleted events were older than `expired_event`. Only a restart of the feed skips numbers. */
const withoutGaps: Check = {
  rule: 'The events of an account are numbered without gaps.',
  meaning: 'Events were lost after they were numbered: readers of the log missed a change.',
  subject: 'acct',
  contradictions: sql`
    select account_id, account_id as subject,
      case when seq = after + 2 then 'has no event ' || after + 1
        else 'has no events from ' || after + 1 || ' to ' || seq - 1 end as fault
    from (
      select e.account_id, e.seq, e.type,
        coalesce(lag(e.seq) over (partition by e.account_id order by e.seq), c.expired_event) as after
      from events e join account_counters c on c.account_id = e.account_id
      where e.seq > c.expired_event
    ) numbered
    where seq <> after + 1 and not (type = 'feed.restarted' and seq = after + 1 + ${gap}::bigint)`,
};

/** Except for jobs whose events were deleted. */
const statusLikeItsEvents: Check = {
  rule: 'A job has the status of its last event, and as many events as it counts.',
  meaning: 'A move was half done: the customer was told another state than the job has.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject,
      case when v.status is null then 'counts ' || j.last_seq || ' events, but has no event of that number'
        when v.status <> j.status then 'is ' || j.status || ', but its last event says ' || v.status
        else 'counts ' || j.last_seq || ' events, but has ' || coalesce(n.events, 0) end as fault
    from jobs j
    left join (
      select account_id, job_id, count(*) as events from events where job_id is not null group by 1, 2
    ) n on n.account_id = j.account_id and n.job_id = j.id
    left join events v on v.account_id = j.account_id and v.job_id = j.id and v.job_seq = j.last_seq
    left join job_outcomes o on o.account_id = j.account_id and o.job_id = j.id
    where o.events_deleted_at is null and (v.status is distinct from j.status or n.events is distinct from j.last_seq)`,
};

/** Without a quality review, a submission goes to the customer directly. */
const steps: (readonly [JobStatus, JobStatus])[] = [
  ...Object.values(moves).flatMap(({ from, to }) => from.map((status) => [status, to] as const)),
  ...moves.submit.from.map((status) => [status, moves.pass.to] as const),
];

const movesOfTheTable: Check = {
  rule: 'Each event of a job continues from the one before, by a move that exists.',
  meaning: 'The history of the job is wrong: something other than a move changed it.',
  subject: 'job',
  contradictions: sql`
    select account_id, job_id as subject,
      'has event ' || job_seq || ' (' || type || ') from ' || coalesce(previous_status, 'nothing') || ' to ' || status
        || ' after ' || coalesce(before, 'nothing') as fault
    from (
      select account_id, job_id, job_seq, type, previous_status, status,
        lag(status) over (partition by account_id, job_id order by job_seq) as before
      from events where job_id is not null
    ) history
    where previous_status is distinct from before
      or (before is null and (type <> 'job.created' or status <> 'queued'))
      or (previous_status <> status and not exists (
        select from unnest(${steps.map(([from]) => from)}::text[], ${steps.map(([, to]) => to)}::text[]) as step (source, target)
        where source = previous_status and target = status))`,
};

export const logChecks = [hasCounters, activeJobs, lastEvent, withoutGaps, statusLikeItsEvents, movesOfTheTable];
