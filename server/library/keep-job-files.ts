import { sql } from 'kysely';
import { retentionDays } from '../../contract/files/file.ts';
import type { keepJobFiles as endpoint } from '../../contract/files/keeping.ts';
import { isEnded } from '../../contract/moves.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type JobRow, lockJob } from '../jobs/job.ts';
import { lockManager } from '../keys/lock-caller.ts';
import { leavesAt } from './filter.ts';

/**
 * Writes the longest retention into the rows that the sweep reads. Both lock a file before they change it:
 * what this answer counts keeps its bytes, and what the sweep has marked is not counted.
 */
export async function keepJobFiles(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await lockManager(trx, caller);
    const job = await lockJob(trx, caller.accountId, params.id);
    if (!isEnded(job.status))
      throw new Refusal('invalid_transition', {
        message: `The job is ${job.status}: its files stay until it has ended.`,
        action: 'Keep its files once it has ended.',
      });
    const { changed, files, kept_until } = await keepFiles(trx, job);
    if (kept_until === null)
      throw new Refusal('file_not_found', {
        message: 'None of the files of this job is kept any more.',
        action: 'Order the work again, or ask the studio for a copy.',
      });
    const details = { files: changed };
    if (changed > 0)
      await appendAudit(trx, cause, {
        action: 'job.files_kept',
        subject: params.id,
        accountId: caller.accountId,
        details,
      });
    return { status: 200, body: { files, kept_until: kept_until.toISOString() } };
  });
}

/** Of what the account sees: its uploads, and what the studio has released or sent. */
async function keepFiles(trx: Trx, { account_id, id }: JobRow) {
  const { rows: changed } = await sql`
    update files set retention_days = ${retentionDays.maximum}
    where account_id = ${account_id} and job_id = ${id} and status = 'uploaded'
      and retention_days < ${retentionDays.maximum}
      and id in (select v.id from visible_files v where v.account_id = ${account_id} and v.job_id = ${id})
    returning id`.execute(trx);
  const { rows } = await sql<{ files: number; kept_until: Date | null }>`
    select count(*)::int as files, min(${leavesAt}) as kept_until
    from visible_files f join jobs j on j.account_id = ${account_id} and j.id = f.job_id
    where f.account_id = ${account_id} and f.job_id = ${id} and f.status = 'uploaded'`.execute(trx);
  return { changed: changed.length, files: rows[0]?.files ?? 0, kept_until: rows[0]?.kept_until ?? null };
}
