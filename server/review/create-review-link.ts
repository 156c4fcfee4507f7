import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { type createReviewLink as endpoint, maxLiveReviewLinks } from '../../contract/review/review-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, lockJob } from '../jobs/job.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { insertLink } from '../keys/insert-link.ts';
import { isLive, reviewLinksOf, reviewTokenLead, showReviewLink } from '../keys/review-link.ts';

export async function createReviewLink(
  { db, publicUrl }: { db: Db; publicUrl: string },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    await lockCaller(trx, caller);
    const job = await lockJob(trx, accountId, params.id);
    await refuseBeyondLimit(trx, job);
    const { can_comment = false } = body;
    const link = { ...body, account_id: accountId, job_id: job.id, can_comment };
    const { id, token } = await insertLink(trx, caller, link, reviewTokenLead);
    const row = await reviewLinksOf(trx, job).where('link.id', '=', id).executeTakeFirstOrThrow();
    const review_link = showReviewLink(row);
    const details = { job_id: review_link.job_id, can_comment: review_link.can_comment };
    await appendAudit(trx, cause, { action: 'review_link.created', subject: review_link.id, accountId, details });
    return {
      status: 201,
      body: {
        review_link,
        token,
        url: `${publicUrl}/review#${token}`,
        next_action: 'Send url to the people who should see the files; it is not shown again.',
      },
      repeat: { token: null, url: null, next_action: replaceIfLost(review_link) },
    };
  });
}

/** The job is locked, so links made at the same time are counted. */
async function refuseBeyondLimit(trx: Trx, job: JobRow): Promise<void> {
  const { live } = await trx
    .selectFrom('review_links as link')
    .select(sql<number>`count(*)::int`.as('live'))
    .where('link.account_id', '=', job.account_id)
    .where('link.job_id', '=', job.id)
    .where('link.shown_jobs', 'is', null)
    .where(isLive)
    .executeTakeFirstOrThrow();
  if (live < maxLiveReviewLinks) return;
  throw new Refusal('limit_reached', {
    message: `The job has ${live} live review links; it may have ${maxLiveReviewLinks}.`,
    action: 'Revoke one that is no longer used, or wait until one expires.',
  });
}

/** For a repeat, which has no token. */
const replaceIfLost = ({ id, job_id }: { id: string; job_id: string }) =>
  `The link was shown once. If it is lost, revoke it with POST /api/v1/jobs/${job_id}/review-links/${id}/revoke and create another one.`;
