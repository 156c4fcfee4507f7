import type { Trx } from '../../db/pool.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Cause } from '../../http/request.ts';
import { showId } from '../../lib/id.ts';
import { endAtDesk, type EndedAtDesk } from './end-at-desk.ts';

/** The person stays; sessions, worker keys and invitations end, and held jobs are released. */
export async function endOperator(trx: Trx, id: string, cause: Cause): Promise<EndedAtDesk> {
  await trx.updateTable('people').set({ operator_role: null }).where('id', '=', id).execute();
  // Shared ones stay: colleagues work with them, and leads may change them.
  await trx.deleteFrom('saved_views').where('created_by', '=', id).where('shared', '=', false).execute();
  await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  await appendAudit(trx, cause, { action: 'operator.removed', subject: showId('user', id), accountId: null });
  return endAtDesk(trx, id, cause);
}
