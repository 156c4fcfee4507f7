import { sql } from 'kysely';
import type { replaceTime as endpoint } from '../../../contract/desk/times.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { jobKeyOf } from './desk-job.ts';
import { ownTime, refuseOtherDay, showTime, type TimeRow } from './noted-time.ts';

export async function replaceTime(
  { db }: { db: Db },
  { caller, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { minutes, worked_on, words = null } = body;
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await jobKeyOf(trx, params.id);
    const accountId = job.account_id;
    const id = await ownTime(trx, job, caller.userId, params.time_id);
    await refuseOtherDay(trx, worked_on);
    const { rows } = await sql<Omit<TimeRow, 'name'>>`
      update job_times set minutes = ${minutes}, worked_on = ${worked_on}::date, words = ${words?.trim() ?? null}
      where account_id = ${accountId} and id = ${id}
      returning id, minutes, worked_on::text as worked_on, words, user_id, created_at`.execute(trx);
    if (!rows[0]) throw new Error('An entry vanished while it was locked.');
    const details = { time: params.time_id, minutes };
    await appendAudit(trx, cause, { action: 'time.corrected', subject: params.id, accountId, details });
    return { status: 200, body: { noted_time: showTime({ ...rows[0], name: caller.name }) } };
  });
}
