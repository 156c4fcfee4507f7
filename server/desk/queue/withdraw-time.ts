import { sql } from 'kysely';
import type { withdrawTime as endpoint } from '../../../contract/desk/times.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { jobKeyOf } from './desk-job.ts';
import { ownTime, showTime, type TimeRow } from './noted-time.ts';

/** The audit keeps that it was there. */
export async function withdrawTime(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await jobKeyOf(trx, params.id);
    const accountId = job.account_id;
    const id = await ownTime(trx, job, caller.userId, params.time_id);
    const { rows } = await sql<Omit<TimeRow, 'name'>>`
      delete from job_times where account_id = ${accountId} and id = ${id}
      returning id, minutes, worked_on::text as worked_on, words, user_id, created_at`.execute(trx);
    if (!rows[0]) throw new Error('An entry vanished while it was locked.');
    const details = { time: params.time_id, minutes: rows[0].minutes };
    await appendAudit(trx, cause, { action: 'time.withdrawn', subject: params.id, accountId, details });
    return { status: 200, body: { noted_time: showTime({ ...rows[0], name: caller.name }) } };
  });
}
