import { sql } from 'kysely';
import { askedMinutes, type askToLook as endpoint } from '../../contract/review/looking.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type JobRow, lockJob } from '../jobs/job.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { newId, readId, showId } from '../lib/id.ts';
import { notify } from '../notifications/notify.ts';
import { refuseUnlessInReview } from './comment.ts';
import { personOf } from '../talk/person.ts';

export async function askToLook(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const byUser = personOf(caller);
  return withIdempotencyKey(db, request, async (trx) => {
    await lockCaller(trx, caller);
    const job = await lockJob(trx, accountId, params.id);
    const { id: userId, name } = await findColleague(trx, accountId, body.user_id);
    if (userId === byUser) throw badBody([{ location: '/user_id', message: 'must name somebody else than you' }]);
    refuseUnlessInReview(job);
    let asked_at = await lastAsked(trx, job, userId);
    if (asked_at === null) {
      const about = job.customer_title;
      await notify(trx, [userId], { kind: 'asked_to_look', cause: newId(), accountId, jobId: job.id, about, byUser });
      await appendAudit(trx, cause, { action: 'comment.look_asked', subject: params.id, accountId });
      // As it is stored: a repeat within the hour answers the same.
      asked_at = await lastAsked(trx, job, userId);
    }
    if (!asked_at) throw new Error('The notification was not stored.');
    return { status: 200, body: { user_id: showId('user', userId), name, asked_at: asked_at.toISOString() } };
  });
}

/** The member stays one until the commit. */
async function findColleague(trx: Trx, accountId: string, id: string): Promise<{ id: string; name: string }> {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, u.name from members m join people u on u.id = m.user_id
    where m.account_id = ${accountId} and m.user_id = ${readId('user', id)}::uuid for share of m`.execute(trx);
  if (!rows[0]) throw new Refusal('member_not_found');
  return rows[0];
}

/** When the person was notified that somebody asks; null if that is too long ago. The job is locked. */
async function lastAsked(trx: Trx, { account_id, id }: JobRow, userId: string): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from notifications
    where user_id = ${userId} and account_id = ${account_id} and job_id = ${id} and kind = 'asked_to_look'
      and created_at > now() - make_interval(mins => ${askedMinutes})
    order by created_at desc limit 1`.execute(trx);
  return rows[0]?.created_at ?? null;
}
