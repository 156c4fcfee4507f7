import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { JobRow } from './job.ts';
import { customerFollowers } from '../notifications/followers.ts';
import { notify } from '../notifications/notify.ts';

type Due = Pick<JobRow, 'account_id' | 'id' | 'review_due_at' | 'revisions_used'>;

/** Notifies of automatic approvals within a day, unless the delivery itself came within that day. */
export async function tellOfApprovals(db: Db, stopped: AbortSignal): Promise<void> {
  let last: Due | undefined;
  do {
    const jobs = await nextJobs(db, last);
    last = jobs.at(-1);
    for (const job of jobs) if (!stopped.aborted) await transact(db, (trx) => tell(trx, job));
  } while (last && !stopped.aborted);
}

/** After the last one, because a job that nobody follows stays among them. */
async function nextJobs(db: Db, after: Due | undefined): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select j.account_id, j.id, j.review_due_at, j.revisions_used from jobs j
    where j.review_due_at > now() and j.review_due_at <= now() + interval '1 day'
      and j.status_changed_at < j.review_due_at - interval '1 day'
      and not exists (select from notifications n where n.account_id = j.account_id and n.job_id = j.id
        and n.kind = 'approval_due' and n.cause = j.id || ' ' || j.revisions_used)
      ${after ? sql`and (j.review_due_at, j.id) > (${after.review_due_at}, ${after.id}::uuid)` : sql``}
    order by j.review_due_at, j.id limit 500`.execute(db);
  return rows;
}

/** Unless the delivery was approved or changed since it was read. */
async function tell(trx: Trx, { account_id, id, revisions_used }: Due): Promise<void> {
  const job = await trx
    .selectFrom('jobs')
    .select(['account_id', 'id', 'customer_title', 'created_by_user'])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('revisions_used', '=', revisions_used)
    .where('review_due_at', 'is not', null)
    .forShare()
    .executeTakeFirst();
  if (!job) return;
  const news = { kind: 'approval_due', cause: `${id} ${revisions_used}`, accountId: account_id, jobId: id } as const;
  await notify(trx, await customerFollowers(trx, job), { ...news, about: job.customer_title });
}
