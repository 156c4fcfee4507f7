import type { AnswerOf } from '../../contract/endpoint.ts';
import type { closeIntake as endpoint } from '../../contract/intake.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import { conflict, ownedSession, showSession } from './session.ts';
import type { Db } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { transact } from '../db/transact.ts';

/** Idempotent, also for an expired conversation. */
export async function closeIntake(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const session = await ownedSession(trx, caller.accountId, params.id, true);
    if (session.status === 'confirmed')
      throw conflict(
        'This conversation is confirmed and has become a job.',
        'If you no longer want the job, cancel it: job_id names it.',
      );
    await trx
      .updateTable('intake_sessions')
      .where('account_id', '=', session.account_id)
      .where('id', '=', session.id)
      .set({ status: 'closed' })
      .execute();
    const { accountId } = caller;
    if (session.status !== 'closed')
      await appendAudit(trx, cause, { action: 'intake.closed', subject: params.id, accountId });
    const closed = await showSession(trx, catalog, { ...session, status: 'closed', expired: false });
    return { status: 200, body: { intake_session: closed } };
  });
}
