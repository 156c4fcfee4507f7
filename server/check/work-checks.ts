import { sql } from 'kysely';
import type { Check } from './contradiction.ts';

const deliveriesLikeEvents: Check = {
  rule: 'A job has as many submissions, releases, revisions and delivered files as its events announced.',
  meaning: 'The customer was told of work that is not there, or has work that they were not told of.',
  subject: 'job',
  contradictions: sql`
    select account_id, id as subject, concat_ws('; ',
      case when submitted <> told_submitted then 'has ' || submitted || ' submissions and ' || told_submitted || ' events of them' end,
      case when released <> told_released then 'has ' || released || ' releases and ' || told_released || ' events of them' end,
      case when revisions_used <> revised or revised <> told_revised then 'counts ' || revisions_used || ' revisions, has '
        || revised || ' and ' || told_revised || ' events of them' end,
      case when files <> told_files then 'has ' || files || ' delivered files and ' || told_files || ' events of them' end
    ) as fault
    from (
      select j.account_id, j.id, j.revisions_used, v.told_submitted, v.told_released, v.told_revised, v.told_files,
        coalesce(s.submitted, 0) as submitted, coalesce(s.released, 0) as released, coalesce(r.revised, 0) as revised,
        coalesce(f.files, 0) as files
      from jobs j
      join (
        select account_id, job_id, count(*) filter (where type = 'job.submitted') as told_submitted,
          count(*) filter (where type = 'job.ready_for_customer_review') as told_released,
          count(*) filter (where type = 'job.revision_requested') as told_revised,
          count(*) filter (where type = 'job.deliverable_added') as told_files
        from events where job_id is not null group by 1, 2
      ) v on v.account_id = j.account_id and v.job_id = j.id
      left join (
        select account_id, job_id, count(*) as submitted, count(released_at) as released
        from job_submissions group by 1, 2
      ) s on s.account_id = j.account_id and s.job_id = j.id
      left join (
        select account_id, job_id, count(*) as revised from job_revisions group by 1, 2
      ) r on r.account_id = j.account_id and r.job_id = j.id
      left join (
        select account_id, job_id, count(*) as files from files where released_at is not null group by 1, 2
      ) f on f.account_id = j.account_id and f.job_id = j.id
    ) counted
    where (submitted, released, revised, files) <> (told_submitted, told_released, told_revised, told_files)
      or revisions_used <> revised`,
};

const marksLikeSubmissions: Check = {
  rule: 'A job remembers whether it was ever submitted and ever released.',
  meaning: 'A cancellation or a rejection will give back quota that was used, or keep quota that was not.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject, concat_ws('; ',
      case when j.ever_submitted <> (s.job_id is not null) then
        case when j.ever_submitted then 'is marked as submitted, but has no submission'
          else 'has a submission, but is not marked as submitted' end end,
      case when j.ever_released <> coalesce(s.released, false) then
        case when j.ever_released then 'is marked as released, but has no released submission'
          else 'has a released submission, but is not marked as released' end end) as fault
    from jobs j
    left join (
      select account_id, job_id, bool_or(released_at is not null) as released from job_submissions group by 1, 2
    ) s on s.account_id = j.account_id and s.job_id = j.id
    where j.ever_submitted <> (s.job_id is not null) or j.ever_released <> coalesce(s.released, false)`,
};

const reviewOfADelivery: Check = {
  rule: 'A job that the customer reviews or has completed has a released delivery of its round, and a review ends.',
  meaning: 'The customer sees no delivery, or the job is never approved automatically.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject,
      case when s.job_id is null then 'is ' || j.status || ', but round ' || j.revisions_used || ' was not released'
        else 'is in review without a time at which the review ends' end as fault
    from jobs j
    left join job_submissions s on s.account_id = j.account_id and s.job_id = j.id and s.round = j.revisions_used
      and s.released_at is not null
    where j.status in ('ready_for_customer_review', 'completed')
      and (s.job_id is null or (j.status = 'ready_for_customer_review' and j.review_due_at is null))`,
};

const filesOfReleases: Check = {
  rule: 'The customer sees a deliverable exactly when its submission was released.',
  meaning: 'The customer lacks a file of their delivery, or sees one that was not passed.',
  subject: 'file',
  contradictions: sql`
    select f.account_id, f.id as subject,
      case when f.released_at is null then 'is not released, but its round ' || f.round || ' is'
        else 'is released, but its round ' || f.round || ' is not' end as fault
    from files f
    left join job_submissions s on s.account_id = f.account_id and s.job_id = f.job_id and s.round = f.round
      and s.released_at is not null
    where f.round is not null and (f.released_at is null) <> (s.job_id is null)`,
};

const filesOfMessages: Check = {
  rule: 'A file of the studio is shown to the customer exactly while a message has it.',
  meaning: 'The customer sees a file of a withdrawn message, or lacks one of a message.',
  subject: 'file',
  contradictions: sql`
    select f.account_id, f.id as subject,
      case when f.sent_at is null then 'is in a message, but hidden' else 'is shown, but in no message' end as fault
    from files f left join job_message_files m on m.account_id = f.account_id and m.file_id = f.id
    where f.uploaded_by = 'studio' and (f.sent_at is null) <> (m.file_id is null)`,
};

const sentComments: Check = {
  rule: 'Comments are sent with the revision that ends their round, but those that are settled.',
  meaning: 'The studio reads comments that nobody sent, or never reads comments that were sent.',
  subject: 'cmt',
  contradictions: sql`
    select c.account_id, c.id as subject, 'is ' || case when c.sent_at is null then 'not sent' else 'sent' end
      || ' in round ' || c.round || ', but its job is in round ' || j.revisions_used as fault
    from job_comments c join jobs j on j.account_id = c.account_id and j.id = c.job_id
    where (c.sent_at is not null) <> (c.round < j.revisions_used and c.settled_at is null)`,
};

const heldByOperators: Check = {
  rule: 'Open jobs are held by operators.',
  meaning: 'Somebody who left the studio holds the job, so nobody takes it. Take it over at the desk.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject, 'is ' || j.status || ' and belongs to somebody who is no operator' as fault
    from jobs j join people u on u.id = j.operator_id
    where j.status not in ('completed', 'rejected', 'canceled') and not u.operator`,
};

const waitingForAnAnswer: Check = {
  rule: 'The clock of a job stands still exactly while a question is open.',
  meaning: 'The job waits for an answer that nobody was asked for, or runs late while the customer is asked.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject,
      case when q.job_id is null then 'waits, but has no open question' else 'has an open question, but does not wait' end as fault
    from jobs j
    left join (
      select distinct account_id, job_id from job_messages
      where question and answered_at is null and closed_at is null and withdrawn_at is null
    ) q on q.account_id = j.account_id and q.job_id = j.id
    where (j.waiting_since is null) <> (q.job_id is null)`,
};

const draftsOfOpenJobs: Check = {
  rule: 'A prepared delivery belongs to an open job.',
  meaning: 'A draft was left behind by the end of its job. It can be deleted from job_drafts.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject, 'is ' || j.status || ' and has a prepared delivery' as fault
    from job_drafts d join jobs j on j.account_id = d.account_id and j.id = d.job_id
    where j.status in ('completed', 'rejected', 'canceled')`,
};

export const workChecks = [
  deliveriesLikeEvents,
  marksLikeSubmissions,
  reviewOfADelivery,
  filesOfReleases,
  filesOfMessages,
  sentComments,
  heldByOperators,
  waitingForAnAnswer,
  draftsOfOpenJobs,
];
