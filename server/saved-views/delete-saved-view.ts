import { sql } from 'kysely';
import type { deleteSavedView as endpoint } from '../../contract/desk/saved-views.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockSavedView, showSavedView } from './saved-view.ts';

export async function deleteSavedView(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const view = await lockSavedView(trx, caller, params.id);
    await sql`delete from saved_views where id = ${view.id}`.execute(trx);
    await appendAudit(trx, cause, { action: 'saved_view.deleted', subject: params.id, accountId: null });
    return { status: 200, body: { saved_view: showSavedView(view) } };
  });
}
