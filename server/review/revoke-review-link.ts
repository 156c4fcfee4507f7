import { sql } from 'kysely';
import type { revokeReviewLink as endpoint } from '../../contract/review/review-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockJob } from '../jobs/job.ts';
import { reviewLinksOf, showReviewLink } from '../keys/review-link.ts';
import { readId, showId } from '../lib/id.ts';
import { removeUnsentOf } from './delete-comment.ts';

/** The row stays. Idempotent: the time of the first call counts. */
export async function revokeReviewLink(
  { db }: { db: Db },
  { caller: { accountId }, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    const id = readId('rvl', params.review_link_id);
    if (id === null) throw noSuchLink();
    const { numUpdatedRows } = await trx
      .updateTable('review_links')
      .set({ revoked_at: sql<Date>`now()` })
      .where('account_id', '=', accountId)
      .where('job_id', '=', job.id)
      .where('id', '=', id)
      .where('shown_jobs', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    const deleted = body.delete_comments ? await removeUnsentOf(trx, job, id) : [];
    const row = await reviewLinksOf(trx, job).where('link.id', '=', id).executeTakeFirst();
    if (!row) throw noSuchLink();
    const review_link = showReviewLink(row);
    const details = { job_id: review_link.job_id };
    if (numUpdatedRows > 0n)
      await appendAudit(trx, cause, { action: 'review_link.revoked', subject: review_link.id, accountId, details });
    const entry = { action: 'comment.deleted', accountId, details: { review_link_id: review_link.id } } as const;
    await appendAudit(trx, cause, ...deleted.map(({ id }) => ({ ...entry, subject: showId('cmt', id) })));
    if (deleted.length > 0) await announceUnlogged(trx, accountId, 'comments');
    return { status: 200, body: { review_link } };
  });
}

const noSuchLink = () =>
  new Refusal('review_link_not_found', {
    message: 'There is no such review link.',
    action: 'Check the id; GET /api/v1/jobs/{id}/review-links lists the links of the job.',
  });
