import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { DeskJob } from '../../contract/desk-job.ts';
import { type JobStatus, parkedAfter } from '../../contract/moves.ts';
import type { CallerOf } from '../http/caller.ts';
import { filesOfJob } from '../files/file.ts';
import { showFile } from '../jobs/job-file.ts';
import { allColumns, type JobRow, showEvents, showJob, type WholeJob, wholeJobs, jobUuid } from '../jobs/job.ts';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';

type Note = { id: string; author_id: string; author_name: string; body: string; created_at: Date };
export type DeskRow = JobRow & WholeJob & { account_name: string; holder_name: string | null; overdue: boolean };

type Held = {
  operator_id: string | null;
  worker_key_id: string | null;
  held_since: Date | null;
  lease_expires_at: Date | null;
  holder_name: string | null;
};

/** Who holds the job now; who only held it before is not shown. */
export const showHolder = (job: Held) =>
  job.held_since && {
    operator_id: job.operator_id && showId('user', job.operator_id),
    worker_key_id: job.worker_key_id && showId('wkey', job.worker_key_id),
    name: job.holder_name ?? '',
    since: job.held_since.toISOString(),
    lease_expires_at: job.lease_expires_at?.toISOString() ?? null,
  };

export const isParked = (job: { status: JobStatus; lease_expiries: number }): boolean =>
  job.status === 'queued' && job.lease_expiries >= parkedAfter;

/** Whether the first delivery is late, by the clock of the database. For statements that name `jobs j`. */
export const isOverdue = sql<boolean>`(coalesce(j.due_at < now(), false) and not j.ever_released
  and j.status in ('queued', 'accepted', 'running', 'needs_review'))`;

/** A lease that was just given or extended. */
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
  author: { id: showId('user', note.author_id), name: note.author_name },
  body: note.body,
  created_at: note.created_at.toISOString(),
});

/** A job as the studio sees it, of whatever account, with what the customer never sees. A worker is not told whose it is. */
export async function findDeskJob(db: Db | Trx, id: string, caller: CallerOf<'desk'>, graceHours: number) {
  const uuid = jobUuid(id);
  const { rows } = await sql<DeskRow>`
    select w.*, a.name as account_name, coalesce(u.name, k.name) as holder_name,
      (select ${isOverdue} from jobs j where j.account_id = w.account_id and j.id = w.id) as overdue
    from (${wholeJobs(allColumns(graceHours), sql`jobs j where j.id = ${uuid}`)}) w
    join auth.account a on a.id = w.account_id
    left join auth.user u on u.id = w.operator_id
    left join worker_keys k on k.id = w.worker_key_id`.execute(db);
  const job = rows[0];
  if (!job) throw new Refusal('job_not_found');
  const notes = await db
    .selectFrom('job_notes as n')
    .innerJoin('auth.user as u', 'u.id', 'n.author_id')
    .select(['n.id', 'n.author_id', 'u.name as author_name', 'n.body', 'n.created_at'])
    .where('n.account_id', '=', job.account_id)
    .where('n.job_id', '=', job.id)
    .orderBy('n.id')
    .execute();
  const submissions = await db
    .selectFrom('job_submissions')
    .select(['message', 'created_at'])
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .orderBy('id')
    .execute();
  const shown: Static<typeof DeskJob> = {
    ...showJob(job),
    account: caller.method === 'session' ? { id: showId('acct', job.account_id), name: job.account_name } : null,
    holder: showHolder(job),
    parked: isParked(job),
    overdue: job.overdue,
    quality_review: job.quality_review,
    submissions: submissions.map(({ message, created_at }) => ({ message, created_at: created_at.toISOString() })),
    files: (await filesOfJob(db, job)).map(showFile),
    notes: notes.map(showNote),
  };
  return { job: shown, events: showEvents(job) };
}
