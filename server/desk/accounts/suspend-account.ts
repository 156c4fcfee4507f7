import { sql } from 'kysely';
import type { suspendAccount as endpoint } from '../../../contract/desk/suspensions.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, lockCounters, transact, type Trx } from '../../db/pool.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { deskAccountUuid } from './desk-account.ts';
import { readAccount } from './read-account.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

/** Takes effect with the next request of the account: its flag is read with the credential. */
export async function suspendAccount(
  dependencies: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const accountId = deskAccountUuid(params.id);
  await transact(dependencies.db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await lockCounters(trx, accountId);
    if (!(await closeForWriting(trx, accountId, caller.userId, body.reason))) return;
    const details = { reason: body.reason };
    await appendAudit(trx, cause, { action: 'suspension.started', subject: params.id, accountId, details });
    await appendEvents(trx, accountId, cause, [{ type: 'account.suspended' }]);
  });
  return readAccount(dependencies, request);
}

/** False if the account is suspended already or does not exist. */
async function closeForWriting(trx: Trx, accountId: string, operatorId: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ suspended_since: sql<Date>`now()`, suspended_by: operatorId, suspension_reason: reason })
    .where('id', '=', accountId)
    .where('suspended_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
