import { sql } from 'kysely';
import type { listReviewLinks as endpoint } from '../../contract/review/review-links.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import { reviewLinksOf, showReviewLink } from '../keys/review-link.ts';
import type { Signer } from '../lib/signer.ts';

export async function listReviewLinks(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, params, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const jobId = await ownedJobId(db, accountId, params.id);
  const scope = ['listReviewLinks', accountId, jobId];
  const from = readCursor(signer, scope, cursor);
  const rows = await reviewLinksOf(db, { account_id: accountId, id: jobId })
    .$if(from !== null, (links) => links.where(sql<boolean>`(link.created_at, link.id) < (${from?.at}, ${from?.id})`))
    .orderBy('link.created_at', 'desc')
    .orderBy('link.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { review_links: page.map(showReviewLink), next_cursor } };
}
