import type { closeIntake as endpoint } from '../../contract/ordering/intake.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { conflict } from './brief.ts';
import { endSession, ownedSession, showSession } from './session.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';

/** Idempotent, also for an expired conversation. */
export async function closeIntake(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller: { accountId }, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const session = await ownedSession(trx, accountId, params.id, true);
    if (session.status === 'confirmed')
      throw conflict(
        'This conversation is confirmed and has become a job.',
        'If you no longer want the job, cancel it: job_id names it.',
      );
    const closed = await endSession(trx, session, 'closed', null);
    if (session.status !== 'closed')
      await appendAudit(trx, cause, { action: 'intake.closed', subject: params.id, accountId });
    return { status: 200, body: { intake_session: await showSession(trx, catalog, closed) } };
  });
}
