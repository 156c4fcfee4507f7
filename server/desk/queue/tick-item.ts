import { sql } from 'kysely';
import type { tickItem as endpoint } from '../../../contract/desk/checklist.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { JobRow } from '../../jobs/job.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';
import { lockDeskJob } from './desk-move.ts';

/** A colleague may check, too, so the holder is not asked for. */
export async function tickItem(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { item, ticked } = body;
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    if (job.status !== 'accepted' && job.status !== 'running')
      throw new Refusal('invalid_transition', { message: `The checklist of a ${job.status} job cannot be ticked.` });
    if (item >= job.checklist.length) throw badBody([{ location: '/item', message: 'is no item of the checklist' }]);
    if (await writeTick(trx, job, caller.userId, body)) {
      const entry = { action: 'job.item_ticked', subject: params.id, accountId: job.account_id } as const;
      await appendAudit(trx, cause, { ...entry, details: { item, ticked } });
    }
    return { status: 200, body: { job: showDeskJob(await findDeskRow(trx, job, graceHours), caller) } };
  });
}

/** Whether it changed anything: whoever ticked an item first stays. */
async function writeTick(trx: Trx, job: JobRow, userId: string, { item, ticked }: { item: number; ticked: boolean }) {
  const { account_id: accountId, id, revisions_used: round } = job;
  const { numAffectedRows = 0n } = ticked
    ? await sql`
        insert into job_ticks (account_id, job_id, round, item, user_id)
        values (${accountId}, ${id}, ${round}, ${item}, ${userId})
        on conflict do nothing`.execute(trx)
    : await sql`
        delete from job_ticks
        where account_id = ${accountId} and job_id = ${id} and round = ${round} and item = ${item}`.execute(trx);
  return numAffectedRows > 0n;
}
