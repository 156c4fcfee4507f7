import type { reopenAccount as endpoint } from '../../../contract/desk/suspensions.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, lockCounters, transact, type Trx } from '../../db/pool.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { deskAccountUuid } from './desk-account.ts';
import { readAccount } from './read-account.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

export async function reopenAccount(
  dependencies: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const accountId = deskAccountUuid(params.id);
  await transact(dependencies.db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await lockCounters(trx, accountId);
    if (!(await openForWriting(trx, accountId))) return;
    await appendAudit(trx, cause, { action: 'suspension.ended', subject: params.id, accountId });
    await appendEvents(trx, accountId, cause, [{ type: 'account.reopened' }]);
  });
  return readAccount(dependencies, request);
}

/** False if the account is open already or does not exist. */
async function openForWriting(trx: Trx, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ suspended_since: null, suspended_by: null, suspension_reason: null })
    .where('id', '=', accountId)
    .where('suspended_since', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
