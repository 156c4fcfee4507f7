import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { DeskJob } from '../../contract/desk.ts';
import { showEvents, showJob, type WholeJob, wholeJobs, jobUuid } from '../jobs/job.ts';
import type { Db, Trx } from '../kit/db.ts';
import { showId } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';

type Note = { id: string; author_id: string; body: string; created_at: Date };
export type DeskRow = WholeJob & { account_name: string; holder_name: string | null };

type Held = { operator_id: string | null; held_since: Date | null; holder_name: string | null };

/** The operator who holds the job now; one who only held it before is not shown. */
export const showHolder = ({ operator_id, held_since, holder_name }: Held) =>
  operator_id && held_since
    ? { operator_id: showId('user', operator_id), name: holder_name ?? '', since: held_since.toISOString() }
    : null;

export const showNote = (note: Note) => ({
  id: showId('note', note.id),
  author: showId('user', note.author_id),
  body: note.body,
  created_at: note.created_at.toISOString(),
});

/** A job as the studio sees it, of whatever account, with what the customer never sees. */
export async function findDeskJob(db: Db | Trx, id: string) {
  const uuid = jobUuid(id);
  const { rows } = await sql<DeskRow>`
    select w.*, a.name as account_name, u.name as holder_name
    from (${wholeJobs(sql`jobs j where j.id = ${uuid}`)}) w
    join auth.account a on a.id = w.account_id
    left join auth.user u on u.id = w.operator_id`.execute(db);
  const job = rows[0];
  if (!job) throw new Refusal('job_not_found');
  const ofJob = { job_id: uuid };
  const notes = await db
    .selectFrom('job_notes')
    .selectAll()
    .where((row) => row.and(ofJob))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const submissions = await db
    .selectFrom('job_submissions')
    .select(['message', 'created_at'])
    .where((row) => row.and(ofJob))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const shown: Static<typeof DeskJob> = {
    ...showJob(job),
    account: { id: showId('acct', job.account_id), name: job.account_name },
    holder: showHolder(job),
    quality_review: job.quality_review,
    submissions: submissions.map(({ message, created_at }) => ({ message, created_at: created_at.toISOString() })),
    notes: notes.map(showNote),
  };
  return { job: shown, events: showEvents(job) };
}
