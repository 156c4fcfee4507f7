import type { Static } from 'typebox';
import { type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely';
import type { Job, JobListItem as ListItem, JobSummary, NextDate } from '../../contract/jobs/job.ts';
import { jobLinks } from '../../contract/jobs/job-links.ts';
import { allowedActions, isEnded, type JobStatus, moves } from '../../contract/moves.ts';
import type { PrivateField, StudioField } from '../../contract/jobs/optional-fields.ts';
import { batch } from '../db/batch.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { usable } from '../entitlements/entitlement.ts';
import { eventCreator } from '../events/event.ts';
import { readId, showId } from '../lib/id.ts';
import { type Created, creatorColumns, showCreator } from '../members/creator.ts';
import { type Caller, isView } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { DB, Jobs } from '../tables.ts';
import type { EventRow } from './job-event.ts';
import { type FileRow, showFile } from './job-file.ts';
import { listedOptionals, type OptionalRow, privateOptionals, showListed, showPrivate } from './optional-fields.ts';

type JobListItem = Static<typeof ListItem>;
export type JobRow = Selectable<Jobs>;
/** Columns that a verb changes along with a move. Only `applyMove` changes the status. */
export type JobChanges = Omit<UpdateObject<DB, 'jobs'>, 'status' | 'last_seq'>;
export type ListedJob = Pick<JobRow, 'id' | 'account_id' | 'status' | 'service_family' | 'service_type' | 'source'> &
  Pick<JobRow, 'customer_title' | 'plan_code' | 'revisions_used'> &
  OptionalRow<StudioField> &
  Created &
  Pick<JobRow, 'revisions_included' | 'reason_code' | 'reason_message'> &
  Record<'created_at' | 'updated_at' | 'status_changed_at', Time> &
  Record<'due_at' | 'waiting_since' | 'review_due_at' | 'imported_at', Time | null> &
  Pick<JobRow, 'due_round' | 'remaining_ms'> & { has_plan: boolean };
type Revision = { round: number; customer_instructions: string; at: Time };
type Submission = { round: number; message: string | null; at: Time };
type DueDateChange = { seq: number; reason: string };
export type WholeJob = ListedJob &
  Pick<JobRow, 'customer_instructions' | 'intent_brief'> &
  OptionalRow & {
    events: EventRow[];
    revisions: Revision[];
    released: Submission[];
    due_date_changes: DueDateChange[];
    files: FileRow[];
  };

export function showJobSummary(uuid: string, status: JobStatus): Static<typeof JobSummary> {
  const id = showId('job', uuid);
  return { id, status, links: jobLinks(id) };
}

/** The account of each job `j`. A statement about one account names it instead, at each table. */
const accountOfJob = sql`j.account_id`;

/** Read only if a revision depends on it. With `exists`, Postgres may read all accounts' plans. */
export const hasPlan = (
  graceHours: number,
  account: RawBuilder<unknown> = accountOfJob,
) => sql<boolean>`(j.status = ${moves.revision.from[0]} and coalesce((
  select true from entitlements e join entitlement_periods p on p.account_id = ${account} and p.entitlement_id = e.id
  where e.account_id = ${account} and ${usable(graceHours)} limit 1), false))`;

/** Times are text, which saves parsing and formatting. */
export const listedColumns = (
  graceHours: number,
  account?: RawBuilder<unknown>,
) => sql`j.id, j.account_id, j.status, j.service_family, j.service_type,
  j.customer_title, ${listedOptionals}, j.source, j.plan_code, j.created_by_user, j.created_by_key, j.by_operator, j.revisions_used,
  j.revisions_included, j.reason_code, j.reason_message, j.created_at::text as created_at,
  j.updated_at::text as updated_at, j.status_changed_at::text as status_changed_at, j.due_at::text as due_at, j.due_round,
  j.waiting_since::text as waiting_since, j.remaining_ms, j.review_due_at::text as review_due_at,
  j.imported_at::text as imported_at, ${creatorColumns('j')}, ${hasPlan(graceHours, account)} as has_plan`;

/** What keeps a caller from what the status of a job allows. */
export type Limit = 'suspended' | 'view' | null;

export const limitOf = (caller: Caller): Limit =>
  isView(caller) ? 'view' : caller.suspendedSince === null ? null : 'suspended';

type Dated = Pick<JobRow, 'status' | 'revisions_used' | 'due_round'> &
  Record<'wanted_by' | 'review_due_at' | 'waiting_since' | 'due_at', Time | null>;

/** What comes next for a job, and when: the same words in lists, on pages and in calendars. */
export function nextDate(job: Dated): NextDate | null {
  const { revisions_used: round } = job;
  if (isEnded(job.status)) return null;
  if (job.review_due_at !== null) return { kind: 'review', falls_at: isoTime(job.review_due_at), round };
  if (job.waiting_since !== null) return { kind: 'question', falls_at: isoTime(job.waiting_since), round };
  if (job.due_at !== null && job.due_round === round)
    return { kind: round === 0 ? 'first_delivery' : 'round', falls_at: isoTime(job.due_at), round };
  if (job.wanted_by !== null) return { kind: 'wish', falls_at: isoTime(job.wanted_by), round };
  return { kind: 'none', falls_at: null, round };
}

/** A suspended account may only approve; an operator who views an account does nothing there. */
export function showJobListItem(job: ListedJob, limit: Limit = null): JobListItem {
  const id = showId('job', job.id);
  const revisions = { used: job.revisions_used, included: job.revisions_included };
  return {
    // The fields of showJobSummary without a copy: lists show up to a hundred jobs.
    id,
    status: job.status,
    links: jobLinks(id),
    service_family: job.service_family,
    service_type: job.service_type,
    customer_title: job.customer_title,
    ...showListed(job),
    source: job.source,
    plan_code: job.plan_code,
    created_by: showCreator(job),
    revisions,
    allowed_actions: allowedActions(job.status, revisions, job.has_plan, job.waiting_since !== null).filter(
      (action) => limit === null || (limit === 'suspended' && action === 'approve'),
    ),
    reason: job.reason_code === null ? null : { code: job.reason_code, message: job.reason_message ?? '' },
    created_at: isoTime(job.created_at),
    updated_at: isoTime(job.updated_at),
    status_changed_at: isoTime(job.status_changed_at),
    due_at: isoTime(job.due_at),
    due_round: job.due_round,
    waiting_on: job.waiting_since === null ? null : 'customer',
    waiting_since: isoTime(job.waiting_since),
    remaining_seconds: job.remaining_ms === null ? null : Math.floor(Number(job.remaining_ms) / 1000),
    review_due_at: isoTime(job.review_due_at),
    next_date: nextDate(job),
    imported_at: isoTime(job.imported_at),
  };
}

export const showJob = (job: WholeJob, limit: Limit = null): Static<typeof Job> => ({
  ...showJobForBoth(job, limit),
  ...showPrivate(limit === 'view' ? {} : job),
});

/** What both the customer and the studio read. */
export function showJobForBoth(job: WholeJob, limit: Limit = null): Omit<Static<typeof Job>, PrivateField> {
  return {
    ...showJobListItem(job, limit),
    customer_instructions: job.customer_instructions,
    revision_requests: job.revisions.map(({ round, customer_instructions, at }) => ({
      round,
      customer_instructions,
      created_at: isoTime(at),
    })),
    deliveries: job.released.map(({ round, message, at }) => ({
      round,
      message,
      file_ids: job.files.flatMap((file) => (file.round === round ? [showId('file', file.id)] : [])),
      released_at: isoTime(at),
    })),
    due_date_changes: job.due_date_changes.flatMap(({ seq, reason }) => {
      const event = job.events.find((other) => other.seq === seq);
      return event ? [{ event_id: showId('evt', event.id), reason, created_at: isoTime(event.at) }] : [];
    }),
    intent_brief: job.intent_brief,
    files: job.files.map(showFile),
  };
}

export const wholeColumns = (graceHours: number, account?: RawBuilder<unknown>) =>
  sql`${listedColumns(graceHours, account)}, j.customer_instructions, j.intent_brief, ${privateOptionals}`;

export const allColumns = (graceHours: number, account: RawBuilder<unknown>) =>
  sql`j.*, ${creatorColumns('j')}, ${hasPlan(graceHours, account)} as has_plan`;

/** Whole jobs with events, revisions and files in one statement. `columns` and `from` use the alias `j`. */
export const wholeJobs = <Row extends WholeJob = WholeJob>(
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  account: RawBuilder<unknown> = accountOfJob,
) => sql<Row>`
  select ${columns},
    coalesce((select json_agg(json_build_object('id', v.id, 'seq', v.job_seq, 'type', v.type, 'status', v.status,
        'previous_status', v.previous_status, 'actor', v.actor, 'message', v.message, 'request_id', v.request_id,
        'data', v.data, 'created_by', ${eventCreator}, 'at', v.created_at) order by v.job_seq)
      from events v where v.account_id = ${account} and v.job_id = j.id), '[]') as events,
    coalesce((select json_agg(json_build_object('round', r.round, 'customer_instructions', r.customer_instructions,
        'at', r.created_at) order by r.round)
      from job_revisions r where r.account_id = ${account} and r.job_id = j.id), '[]') as revisions,
    coalesce((select json_agg(json_build_object('round', s.round, 'message', s.message, 'at', s.released_at)
        order by s.round)
      from job_submissions s
      where s.account_id = ${account} and s.job_id = j.id and s.released_at is not null), '[]') as released,
    coalesce((select json_agg(json_build_object('seq', d.job_seq, 'reason', d.reason) order by d.job_seq)
      from job_due_date_changes d where d.account_id = ${account} and d.job_id = j.id), '[]') as due_date_changes,
    coalesce((select json_agg(f order by f.shown_at desc, f.position, f.id desc) from visible_files f
      where f.account_id = ${account} and f.job_id = j.id), '[]') as files
  from ${from}`;

type Owned = { accountId: string; uuid: string };
/** With the number of the last event of its account when it was read. */
export type FoundJob = WholeJob & { last_event: string };

/** Concurrent calls share one statement. Foreign and missing jobs are null. */
export function createFindJob(db: Db, graceHours: number): (owned: Owned) => Promise<FoundJob | null> {
  return batch(
    async (owned: readonly Owned[]) => {
      const requested = sql`unnest(${owned.map((job) => job.accountId)}::uuid[], ${owned.map((job) => job.uuid)}::uuid[]) as w (account_id, id)`;
      const { rows } = await wholeJobs<FoundJob>(
        sql`${wholeColumns(graceHours)},
          (select c.last_event from account_counters c where c.account_id = w.account_id) as last_event`,
        sql`(select distinct account_id, id from ${requested}) w join jobs j on j.account_id = w.account_id and j.id = w.id`,
      ).execute(db);
      const rowByKey = new Map(rows.map((row) => [`${row.account_id} ${row.id}`, row]));
      return owned.map(({ accountId, uuid }) => rowByKey.get(`${accountId} ${uuid}`) ?? null);
    },
    { maxBatchSize: 200, maxInFlight: 4 },
  );
}

export type FindJob = ReturnType<typeof createFindJob>;

export function jobUuid(id: string): string {
  const uuid = readId('job', id);
  if (uuid === null) throw new Refusal('job_not_found');
  return uuid;
}

export async function ownedJob(findJob: FindJob, accountId: string, id: string): Promise<FoundJob> {
  const job = await findJob({ accountId, uuid: jobUuid(id) });
  if (job === null) throw new Refusal('job_not_found');
  return job;
}

export async function ownedJobId(db: Db | Trx, accountId: string, id: string): Promise<string> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', jobUuid(id))
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job.id;
}

/** Serializes the moves of one job. */
export async function lockJob(trx: Trx, accountId: string, id: string): Promise<JobRow> {
  const job = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', jobUuid(id))
    .forUpdate()
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job;
}
