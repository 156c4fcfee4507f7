import type { endAccountView as endpoint } from '../../../contract/desk/account-views.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, lockCounters, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { endView } from '../operators/account-view.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';

export async function endAccountView(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const accountId = deskAccountUuid(params.id);
  await transact(db, async (trx) => {
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    if ((await endView(trx, caller.sessionId, accountId)) === null) return;
    await appendAudit(trx, cause, { action: 'account.view_ended', subject: params.id, accountId });
  });
  return { status: 200, body: { done: true } };
}
