import { sql } from 'kysely';
import type { listSavedViews as endpoint } from '../../contract/desk/saved-views.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { savedViewsOf, type SavedViewRow, showSavedView } from './saved-view.ts';

export async function listSavedViews(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listSavedViews', caller.userId];
  const from = readCursor(signer, scope, cursor);
  const after = from === null ? sql`` : sql`and (v.created_at, v.id) > (${from.at}, ${from.id})`;
  const { rows } = await sql<SavedViewRow>`
    ${savedViewsOf(caller.userId)} ${after} order by v.created_at, v.id limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { saved_views: page.map(showSavedView), next_cursor } };
}
