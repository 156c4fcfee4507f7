import { sql } from 'kysely';
import { mailKinds } from '../mail/kinds.ts';
import type { Check } from './contradiction.ts';

const conversations: Check = {
  rule: 'An order in preparation counts its messages.',
  meaning: 'The next message of the conversation is refused or takes the number of another one.',
  subject: 'ise',
  contradictions: sql`
    select s.account_id, s.id as subject,
      'counts ' || s.last_seq || ' messages, but has ' || coalesce(m.messages, 0) || ' up to number ' || coalesce(m.last, 0) as fault
    from intake_sessions s
    left join (
      select account_id, session_id, count(*) as messages, max(seq) as last from intake_messages group by 1, 2
    ) m on m.account_id = s.account_id and m.session_id = s.id
    where s.last_seq <> coalesce(m.messages, 0) or s.last_seq <> coalesce(m.last, 0)`,
};

const templateFiles: Check = {
  rule: 'A file of a template belongs to a template that exists.',
  meaning: 'The file is in no list and is never deleted. Set its `template_id` and `template_position` to null.',
  subject: 'file',
  contradictions: sql`
    select f.account_id, f.id as subject, 'belongs to a template that does not exist' as fault
    from files f left join templates t on t.account_id = f.account_id and t.id = f.template_id
    where f.template_id is not null and t.id is null`,
};

const reviewLinks: Check = {
  rule: 'A review link leads to a job that exists.',
  meaning: 'Guests get an error. The link can be revoked.',
  subject: 'rvl',
  contradictions: sql`
    select l.account_id, l.id as subject, 'leads to a job that does not exist' as fault
    from review_links l
    where exists (select from unnest(coalesce(l.shown_jobs, array[l.job_id])) as shown (id)
      where not exists (select from jobs j where j.account_id = l.account_id and j.id = shown.id))`,
};

const dueDateReasons: Check = {
  rule: 'The reason for a new due date belongs to the event of that change.',
  meaning: 'The customer reads a reason at the wrong place of the history.',
  subject: 'job',
  contradictions: sql`
    select d.account_id, d.job_id as subject, 'has a reason for event ' || d.job_seq || ', which changes no due date' as fault
    from job_due_date_changes d
    left join events v on v.account_id = d.account_id and v.job_id = d.job_id and v.job_seq = d.job_seq
    where v.type is distinct from 'job.due_date_changed'`,
};

const mails: Check = {
  rule: 'A waiting mail has a known kind and is about a job that exists.',
  meaning: 'The mail cannot be sent. It can be deleted from `mails`.',
  subject: null,
  contradictions: sql`
    select j.account_id, 'mail ' || m.id as subject,
      case when m.kind <> all (${Object.keys(mailKinds)}::text[]) then 'has the unknown kind ' || m.kind
        else 'is about a job that does not exist' end as fault
    from mails m left join jobs j on j.account_id::text = m.data->>'account_id' and j.id::text = m.data->>'job_id'
    where m.kind <> all (${Object.keys(mailKinds)}::text[]) or (m.data ? 'job_id' and j.id is null)`,
};

const endpointCursors: Check = {
  rule: 'A webhook endpoint is at most at the newest event of its account.',
  meaning: 'The endpoint misses the next events. Set its `cursor` to `last_event` of the account.',
  subject: 'hook',
  contradictions: sql`
    select e.account_id, e.id as subject, 'is at event ' || e.cursor || ' of ' || c.last_event as fault
    from webhook_endpoints e join account_counters c on c.account_id = e.account_id
    where e.cursor > c.last_event`,
};

/** Events of no job are deleted after 90 days, those of a job with its history. */
const deliveredEvents: Check = {
  rule: 'A webhook delivery is of an event that exists.',
  meaning: 'The receiver gets nothing, or another event than was queued.',
  subject: 'dlv',
  contradictions: sql`
    select d.account_id, d.id as subject,
      case when v.id is null then 'is of event ' || d.seq || ', which does not exist'
        else 'is of event ' || d.seq || ', which has another id' end as fault
    from webhook_deliveries d
    join account_counters c on c.account_id = d.account_id
    left join events v on v.account_id = d.account_id and v.seq = d.seq
    left join job_outcomes o on o.account_id = d.account_id and o.job_id = d.job_id
    where v.id <> d.event_id
      or (v.id is null and o.events_deleted_at is null and (d.job_id is not null or d.seq > c.expired_event))`,
};

const deliveredByAnAttempt: Check = {
  rule: 'A webhook delivery counts as delivered after an attempt that the receiver accepted.',
  meaning: 'The receiver may never have got the event. Deliver it again.',
  subject: 'dlv',
  contradictions: sql`
    select d.account_id, d.id as subject, 'counts as delivered, but no attempt was accepted' as fault
    from webhook_deliveries d
    left join webhook_attempts a on a.account_id = d.account_id and a.endpoint_id = d.endpoint_id and a.delivery_id = d.id
      and a.status between 200 and 299
    where d.outcome = 'delivered' and a.attempt is null`,
};

const importedJobs: Check = {
  rule: 'An imported job has a row of its import and an outcome that says so, and no event, usage or message.',
  meaning: 'A figure, a quota or a feed counts work that was not done here, or a job claims to be imported.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject, concat_ws('; ',
      case when r.row_id is null then 'is marked as imported, but no import names it' end,
      case when o.imported_at is null then 'is imported, but its outcome counts in reports' end,
      case when exists (select from events v where v.account_id = j.account_id and v.job_id = j.id)
        then 'is imported and has events' end,
      case when exists (select from usage_ledger l where l.account_id = j.account_id and l.job_id = j.id)
        then 'is imported and has usage' end,
      case when exists (select from job_messages m where m.account_id = j.account_id and m.job_id = j.id)
        then 'is imported and has messages' end) as fault
    from jobs j
    left join imported_rows r on r.account_id = j.account_id and r.kind = 'job' and r.row_id = j.id
    left join job_outcomes o on o.account_id = j.account_id and o.job_id = j.id
    where j.imported_at is not null and (r.row_id is null or o.imported_at is null
      or exists (select from events v where v.account_id = j.account_id and v.job_id = j.id)
      or exists (select from usage_ledger l where l.account_id = j.account_id and l.job_id = j.id)
      or exists (select from job_messages m where m.account_id = j.account_id and m.job_id = j.id))`,
};

const importedPeople: Check = {
  rule: 'An imported person who has not joined has no credentials and is no member, and no import lost one.',
  meaning: 'Somebody signs in under an address of nobody, or a name stays that nothing erases.',
  subject: 'user',
  contradictions: sql`
    select p.account_id, u.id as subject, concat_ws('; ',
      case when exists (select from credentials c where c.user_id = u.id) then 'has not joined and has credentials' end,
      case when exists (select from members m where m.user_id = u.id) then 'has not joined and is a member' end,
      case when p.person_id is null then 'belongs to no import' end) as fault
    from people u left join imported_people p on p.person_id = u.id
    where (p.person_id is not null or u.email like '%@imported.invalid')
      and (exists (select from credentials c where c.user_id = u.id)
        or exists (select from members m where m.user_id = u.id)
        or (p.person_id is null and u.name <> 'Deleted person'))`,
};

const importedOutcomes: Check = {
  rule: 'An outcome is marked as imported if its job is.',
  meaning: 'Reports leave out work that was done here.',
  subject: 'job',
  contradictions: sql`
    select o.account_id, o.job_id as subject, 'has an imported outcome, but was not imported' as fault
    from job_outcomes o join jobs j on j.account_id = o.account_id and j.id = o.job_id
    where o.imported_at is not null and j.imported_at is null`,
};

export const referenceChecks = [
  conversations,
  templateFiles,
  reviewLinks,
  dueDateReasons,
  mails,
  endpointCursors,
  deliveredEvents,
  deliveredByAnAttempt,
  importedJobs,
  importedPeople,
  importedOutcomes,
];
