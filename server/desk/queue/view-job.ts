import { sql } from 'kysely';
import { type viewJob as endpoint, viewingSeconds } from '../../../contract/desk/queue.ts';
import { announce, type Db, transact, type Trx } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { showId } from '../../lib/id.ts';
import { seeAtDesk } from '../../notifications/notification.ts';
import { jobKeyOf } from './desk-job.ts';
import { findViewers } from './viewers.ts';

/** Streams are woken when somebody comes or goes, not when somebody stays. */
export async function viewJob(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const job = await jobKeyOf(trx, params.id);
    const before = await findViewers(trx, job.id);
    if (body.viewing && !before.some(({ operator_id }) => operator_id === showId('user', caller.userId)))
      await seeAtDesk(trx, caller.userId, job);
    if (body.viewing) await keepViewer(trx, job, caller.userId);
    else await deleteViewer(trx, job, caller.userId);
    await forgetOldViews(trx, caller.userId);
    const viewing = await findViewers(trx, job.id);
    if (viewing.length !== before.length) announce(trx, job.account_id);
    return { status: 200, body: { viewing } };
  });
}

const keepViewer = (trx: Trx, { account_id, id: job_id }: JobKey, user_id: string) =>
  trx
    .insertInto('job_viewers')
    .values({ account_id, job_id, user_id, seen_at: sql`now()` })
    .onConflict((row) =>
      row.columns(['account_id', 'job_id', 'user_id']).doUpdateSet({ seen_at: sql`excluded.seen_at` }),
    )
    .execute();

const deleteViewer = (trx: Trx, { account_id, id }: JobKey, userId: string) =>
  trx
    .deleteFrom('job_viewers')
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('user_id', '=', userId)
    .execute();

const isOver = sql`seen_at < now() - make_interval(secs => ${viewingSeconds.last})`;

/** Skips locked rows, so that two tabs of one operator cannot block each other. */
async function forgetOldViews(trx: Trx, userId: string): Promise<void> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from job_viewers where user_id = ${userId} and ${isOver}`.execute(trx);
  for (const { account_id } of rows)
    await sql`
      delete from job_viewers where account_id = ${account_id} and user_id = ${userId} and job_id in (
        select job_id from job_viewers
        where account_id = ${account_id} and user_id = ${userId} and ${isOver} for update skip locked)`.execute(trx);
}
