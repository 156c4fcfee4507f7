import { sql } from 'kysely';
import type { noteTime as endpoint } from '../../../contract/desk/times.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { jobKeyOf } from './desk-job.ts';
import { refuseOtherDay, showTime, type TimeRow } from './noted-time.ts';

/** Like notes, time can be noted in any status. */
export async function noteTime(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { minutes, worked_on, words = null } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const { account_id: accountId, id: jobId } = await jobKeyOf(trx, params.id);
    await refuseOtherDay(trx, worked_on);
    const { rows } = await sql<Omit<TimeRow, 'name'>>`
      insert into job_times (account_id, job_id, user_id, minutes, worked_on, words)
      values (${accountId}, ${jobId}, ${caller.userId}, ${minutes}, ${worked_on}::date, ${words?.trim() ?? null})
      returning id, minutes, worked_on::text as worked_on, words, user_id, created_at`.execute(trx);
    if (!rows[0]) throw new Error('An insert returns its row.');
    const noted_time = showTime({ ...rows[0], name: caller.name });
    const details = { time: noted_time.id, minutes };
    await appendAudit(trx, cause, { action: 'time.noted', subject: params.id, accountId, details });
    return { status: 201, body: { noted_time }, accountId };
  });
}
