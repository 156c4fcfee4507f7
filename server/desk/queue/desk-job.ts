import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { DeskJob } from '../../../contract/desk/job.ts';
import { endedStatuses, type JobStatus, parkedAfter } from '../../../contract/moves.ts';
import { type Fact, showJobBrand } from '../../brand/brand.ts';
import type { CallerOf } from '../../http/request.ts';
import { isoTime, type Time } from '../../db/time.ts';
import { type FileRow, showFile } from '../../jobs/job-file.ts';
import { type JobKey, showJobEvents } from '../../jobs/job-event.ts';
import { allColumns, type JobRow, showJobForBoth, type WholeJob, wholeJobs, jobUuid } from '../../jobs/job.ts';
import type { Db, Trx } from '../../db/pool.ts';
import { showId } from '../../lib/id.ts';
import { type SetAsideRow, setAsideOf, showSetAside } from './set-aside.ts';
import { showTime, type TimeRow } from './noted-time.ts';
import { Refusal } from '../../http/refusal.ts';
import { showStanding, type StandingRow, standingOf } from '../../entitlements/standing.ts';

type Tick = { item: number; at: Time; user_id: string; name: string };
type Note = { id: string; author_id: string; author_name: string; body: string; created_at: Time } & {
  worker_key_id: string | null;
};
export type DeskRow = JobRow &
  WholeJob & {
    account_name: string;
    standing: StandingRow | null;
    holder_name: string | null;
    overdue: boolean;
    account_note: string | null;
    set_aside: SetAsideRow | null;
    ticks: Tick[];
    times: TimeRow[];
    notes: Note[];
    brand_facts: Fact[] | null;
    /** Events of operators and workers, oldest first. */
    done_by: { event_id: string; name: string }[];
    submissions: { message: string | null; created_at: Time }[];
    /** Includes deliverables that are not yet released, and the copy of the brand kit. */
    all_files: FileRow[];
  };

type HolderColumns = {
  operator_id: string | null;
  worker_key_id: string | null;
  held_since: Date | null;
  lease_expires_at: Date | null;
  holder_name: string | null;
};

/** Only the current holder, not earlier ones. */
export const showHolder = (job: HolderColumns) =>
  job.held_since && {
    operator_id: job.operator_id && showId('user', job.operator_id),
    worker_key_id: job.worker_key_id && showId('wkey', job.worker_key_id),
    name: job.holder_name ?? '',
    since: job.held_since.toISOString(),
    lease_expires_at: job.lease_expires_at?.toISOString() ?? null,
  };

export const isParked = (job: { status: JobStatus; lease_expiries: number }): boolean =>
  job.status === 'queued' && job.lease_expiries >= parkedAfter;

/** Literals, as in the partial indexes: a plan for any values could not use those otherwise. */
export const isOpen = sql<boolean>`j.status not in (${sql.join(endedStatuses.map((status) => sql.lit(status)))})`;
export const hasParked = sql<boolean>`(j.status = 'queued' and j.lease_expiries >= ${sql.lit(parkedAfter)})`;

/** The order of the queue. Jobs that wait for an answer stay where their due date was. */
export const duePosition = sql<Date>`coalesce(j.due_at,
  (j.waiting_since at time zone 'UTC' + j.remaining_ms * interval '1 millisecond') at time zone 'UTC', j.created_at)`;

/** Whether the delivery of the current round is late. For statements that select from `jobs j`. */
export const isOverdue = sql<boolean>`(coalesce(j.due_at < now(), false) and j.due_round = j.revisions_used
  and j.status in ('queued', 'accepted', 'running', 'needs_review'))`;

export function showLease({
  lease_token,
  lease_expires_at,
}: {
  lease_token: string | null;
  lease_expires_at: Date | null;
}) {
  if (lease_token === null || lease_expires_at === null) throw new Error('There is no lease to show.');
  return { token: lease_token, expires_at: lease_expires_at.toISOString() };
}

export const showNote = (note: Note) => ({
  id: showId('note', note.id),
  body: note.body,
  created_by:
    note.worker_key_id === null
      ? { kind: 'user' as const, id: showId('user', note.author_id), name: note.author_name }
      : { kind: 'worker_key' as const, id: showId('wkey', note.worker_key_id), name: note.author_name },
  created_at: isoTime(note.created_at),
});

const showChecklist = ({ checklist, ticks }: Pick<DeskRow, 'checklist' | 'ticks'>) =>
  checklist.map((text, place) => {
    const tick = ticks.find(({ item }) => item === place);
    return {
      text,
      ticked_at: tick ? isoTime(tick.at) : null,
      ticked_by: tick ? { kind: 'user' as const, id: showId('user', tick.user_id), name: tick.name } : null,
    };
  });

export async function jobKeyOf(db: Db | Trx, id: string): Promise<JobKey> {
  const jobs = db.selectFrom('jobs').select(['account_id', 'id']);
  const job = await jobs.where('id', '=', jobUuid(id)).executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job;
}

export async function findDeskRow(db: Db | Trx, { account_id, id }: JobKey, graceHours: number): Promise<DeskRow> {
  const account = sql`${account_id}::uuid`;
  const { rows } = await wholeJobs<DeskRow>(
    deskColumns(graceHours, account),
    sql`jobs j where j.account_id = ${account} and j.id = ${id}`,
    account,
  ).execute(db);
  if (!rows[0]) throw new Refusal('job_not_found');
  return rows[0];
}

const deskColumns = (
  graceHours: number,
  account: RawBuilder<unknown>,
) => sql`${allColumns(graceHours, account)}, ${isOverdue} as overdue,
  (select a.name from accounts a where a.id = ${account}) as account_name,
  (select ${standingOf(graceHours, account)} from accounts a where a.id = ${account}) as standing,
  (select t.body from account_notes t where t.account_id = ${account}) as account_note,
  coalesce((select u.name from people u where u.id = j.operator_id),
    (select k.name from worker_keys k where k.id = j.worker_key_id)) as holder_name,
  coalesce((select json_agg(json_build_object('id', n.id, 'author_id', n.author_id,
      'author_name', coalesce((select k.name from worker_keys k where k.id = n.worker_key_id),
        (select u.name from people u where u.id = n.author_id)), 'worker_key_id', n.worker_key_id, 'body', n.body,
      'created_at', n.created_at) order by n.id)
    from job_notes n where n.account_id = ${account} and n.job_id = j.id), '[]') as notes,
  ${setAsideOf(account)} as set_aside,
  coalesce((select json_agg(json_build_object('item', t.item, 'at', t.ticked_at, 'user_id', t.user_id,
      'name', (select u.name from people u where u.id = t.user_id)))
    from job_ticks t where t.account_id = ${account} and t.job_id = j.id and t.round = j.revisions_used), '[]') as ticks,
  coalesce((select json_agg(json_build_object('id', t.id, 'minutes', t.minutes, 'worked_on', t.worked_on,
      'words', t.words, 'user_id', t.user_id, 'name', (select u.name from people u where u.id = t.user_id),
      'created_at', t.created_at) order by t.worked_on, t.id)
    from job_times t where t.account_id = ${account} and t.job_id = j.id), '[]') as times,
  (select b.facts from job_brands b where b.account_id = ${account} and b.job_id = j.id) as brand_facts,
  coalesce((select json_agg(json_build_object('event_id', v.id, 'name', coalesce(u.name, k.name)) order by v.job_seq)
    from events v left join people u on u.id = v.user_id left join worker_keys k on k.id = v.worker_key_id
    where v.account_id = ${account} and v.job_id = j.id and v.actor in ('operator', 'worker')
      and coalesce(u.name, k.name) is not null), '[]') as done_by,
  coalesce((select json_agg(json_build_object('message', s.message, 'created_at', s.created_at) order by s.id)
    from job_submissions s where s.account_id = ${account} and s.job_id = j.id), '[]') as submissions,
  coalesce((select json_agg(f order by coalesce(f.submitted_at, f.uploaded_at) desc, f.position, f.id desc) from files f
    where f.account_id = ${account} and f.job_id = j.id and f.uploaded_at is not null), '[]') as all_files`;

/** Workers see the note of the last return, but no names of people. */
function forWorker(job: DeskRow): DeskRow {
  const returned = job.events.findLast(({ type }) => type === 'job.returned');
  const notes = job.notes.filter(({ created_at }) => returned && isoTime(created_at) === isoTime(returned.at));
  return {
    ...job,
    creator_name: '',
    account_note: null,
    set_aside: null,
    times: [],
    ticks: job.ticks.map((tick) => ({ ...tick, name: '' })),
    done_by: [],
    notes: notes.map((note) => ({ ...note, author_name: '' })),
  };
}

/** Includes what customers never see. Workers do not see which account a job belongs to. */
export const showDeskJob = (job: DeskRow, caller: CallerOf<'desk'>): Static<typeof DeskJob> =>
  caller.method === 'session'
    ? { ...shown(job), account: accountOf(job) }
    : { ...shown(forWorker(job)), account: null };

const accountOf = ({ account_id, account_name: name, standing }: DeskRow) => ({
  id: showId('acct', account_id),
  name,
  standing: showStanding(standing),
});

const brandCopies = ({ all_files }: DeskRow) =>
  all_files
    .filter(({ brand_position }) => brand_position !== null)
    .toSorted((a, b) => (a.brand_position ?? 0) - (b.brand_position ?? 0));

const shown = (job: DeskRow) => ({
  ...showJobForBoth(job),
  holder: showHolder(job),
  parked: isParked(job),
  overdue: job.overdue,
  set_aside: showSetAside(job.set_aside),
  quality_review: job.quality_review,
  other_reviewer: job.other_reviewer,
  worked_by: job.operator_id && showId('user', job.operator_id),
  round_operators: job.round_operators.map((id) => showId('user', id)),
  done_by: job.done_by.map(({ event_id, name }) => ({ event_id: showId('evt', event_id), name })),
  submissions: job.submissions.map(({ message, created_at }) => ({ message, created_at: isoTime(created_at) })),
  files: job.all_files.filter(({ brand_position }) => brand_position === null).map(showFile),
  checklist: showChecklist(job),
  times: job.times.map(showTime),
  brand: showJobBrand(job.brand_facts, brandCopies(job)),
  account_note: job.account_note,
  notes: job.notes.map(showNote),
});

export async function findDeskJob(db: Db | Trx, id: string, caller: CallerOf<'desk'>, graceHours: number) {
  const job = await findDeskRow(db, await jobKeyOf(db, id), graceHours);
  return { job: showDeskJob(job, caller), events: showJobEvents(job) };
}
