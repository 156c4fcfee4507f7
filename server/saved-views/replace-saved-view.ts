import { sql } from 'kysely';
import type { replaceSavedView as endpoint } from '../../contract/desk/saved-views.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Db, transact } from '../db/pool.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockSavedView, refuseUnlistable, showSavedView } from './saved-view.ts';

export async function replaceSavedView(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnlistable(catalog, body.filter, caller);
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const view = await lockSavedView(trx, caller, params.id);
    const { name, shared, filter } = body;
    if (!shared && view.created_by !== caller.userId)
      throw new Refusal('role_required', { message: 'Only who made a shared view can make it private.' });
    await sql`
      update saved_views
      set name = ${name}, shared = ${shared}, filter = ${JSON.stringify(filter)}::jsonb, updated_at = now()
      where id = ${view.id}`.execute(trx);
    const entry = { action: 'saved_view.updated', subject: params.id, accountId: null, details: { shared } } as const;
    await appendAudit(trx, cause, entry);
    return { status: 200, body: { saved_view: showSavedView(await lockSavedView(trx, caller, params.id)) } };
  });
}
