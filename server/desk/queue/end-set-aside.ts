import { sql } from 'kysely';
import type { endSetAside as endpoint } from '../../../contract/desk/set-aside.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { announce, type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';
import { lockDeskJob } from './desk-move.ts';
import { refuseOtherHolder } from './lease.ts';

/** The row stays, so that open pages learn of it. */
export async function endSetAside(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    refuseOtherHolder(caller, job, 'release');
    const { account_id: accountId } = job;
    const { numAffectedRows = 0n } = await sql`
      update jobs_set_aside set set_aside_until = date_trunc('milliseconds', now())
      where account_id = ${accountId} and job_id = ${job.id} and set_aside_until > now()`.execute(trx);
    if (numAffectedRows > 0n) {
      await appendAudit(trx, cause, { action: 'job.set_aside_ended', subject: params.id, accountId });
      announce(trx, accountId);
    }
    return { status: 200, body: { job: showDeskJob(await findDeskRow(trx, job, graceHours), caller) } };
  });
}
