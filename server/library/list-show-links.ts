import { sql } from 'kysely';
import type { listShowLinks as endpoint } from '../../contract/review/show-links.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showLinksOf, showShowLink } from '../keys/review-link.ts';
import type { Signer } from '../lib/signer.ts';

export async function listShowLinks(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listShowLinks', accountId];
  const from = readCursor(signer, scope, cursor);
  const rows = await showLinksOf(db, accountId)
    .$if(from !== null, (links) => links.where(sql<boolean>`(link.created_at, link.id) < (${from?.at}, ${from?.id})`))
    .orderBy('link.created_at', 'desc')
    .orderBy('link.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { show_links: page.map(showShowLink), next_cursor } };
}
