import { sql } from 'kysely';
import { savedViewBounds } from '../../contract/desk/saved-view-bounds.ts';
import type { createSavedView as endpoint } from '../../contract/desk/saved-views.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { lockSavedView, refuseUnlistable, showSavedView } from './saved-view.ts';

export async function createSavedView(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  refuseUnlistable(catalog, body.filter, caller);
  return withIdempotencyKey(db, request, async (trx) => {
    // Locks out other views of the caller, which are counted, and their removal, which deletes them.
    await refuseRemovedOperator(trx, caller, 'no key update');
    await refuseBeyondLimit(trx, caller.userId);
    const { name, shared } = body;
    const id = newId();
    const filter = JSON.stringify(body.filter);
    await trx.insertInto('saved_views').values({ id, name, shared, filter, created_by: caller.userId }).execute();
    const subject = showId('view', id);
    await appendAudit(trx, cause, { action: 'saved_view.created', subject, accountId: null, details: { shared } });
    const view = await lockSavedView(trx, caller, subject);
    return { status: 201, body: { saved_view: showSavedView(view) }, accountId: null };
  });
}

async function refuseBeyondLimit(trx: Trx, userId: string): Promise<void> {
  const { rows } = await sql<{ views: number }>`
    select count(*)::int as views from saved_views where created_by = ${userId}`.execute(trx);
  const count = rows[0]?.views ?? 0;
  if (count >= savedViewBounds.count)
    throw new Refusal('limit_reached', {
      message: `You have ${count} saved views, which is the limit.`,
      action: 'Delete one that you no longer use: DELETE /api/operator/v1/saved-views/{id}.',
    });
}
