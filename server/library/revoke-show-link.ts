import { sql } from 'kysely';
import type { revokeShowLink as endpoint } from '../../contract/review/show-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showLinksOf, showShowLink } from '../keys/review-link.ts';
import { readId } from '../lib/id.ts';

/** The row stays. Idempotent: the time of the first call counts. */
export async function revokeShowLink(
  { db }: { db: Db },
  { caller: { accountId }, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const id = readId('rvl', params.id);
    const { numUpdatedRows } = await trx
      .updateTable('review_links')
      .set({ revoked_at: sql<Date>`now()` })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('shown_jobs', 'is not', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    const row = await showLinksOf(trx, accountId).where('link.id', '=', id).executeTakeFirst();
    if (!row) throw noSuchLink();
    const show_link = showShowLink(row);
    const details = { job_id: show_link.job_ids[0] ?? '', jobs: show_link.job_ids.length };
    if (numUpdatedRows > 0n)
      await appendAudit(trx, cause, { action: 'review_link.revoked', subject: show_link.id, accountId, details });
    return { status: 200, body: { show_link } };
  });
}

const noSuchLink = () =>
  new Refusal('review_link_not_found', {
    message: 'There is no such link.',
    action: 'Check the id; GET /api/v1/show-links lists the links to finished work.',
  });
