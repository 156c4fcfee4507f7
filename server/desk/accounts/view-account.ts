import { sql } from 'kysely';
import type { viewAccount as endpoint } from '../../../contract/desk/account-views.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, isClosed, lockCounters, transact, type Trx } from '../../db/pool.ts';
import type { Request, View } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { showId } from '../../lib/id.ts';
import { showView } from '../../sign-in/view.ts';
import { endView } from '../operators/account-view.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

/** The view belongs to the session, so it is read with each request and ends with it. */
export async function viewAccount(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const accountId = deskAccountUuid(params.id);
  const view = await transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await lockCounters(trx, accountId);
    if (await isClosed(trx, accountId)) throw unknownAccount();
    const before = await endView(trx, caller.sessionId);
    if (before !== null && before !== accountId)
      await appendAudit(trx, cause, {
        action: 'account.view_ended',
        subject: showId('acct', before),
        accountId: before,
      });
    const view = await beginView(trx, caller.sessionId, accountId);
    const details = { viewed_until: view.until.toISOString() };
    await appendAudit(trx, cause, { action: 'account.viewed', subject: params.id, accountId, details });
    return view;
  });
  return { status: 200, body: { view: showView(view) } };
}

async function beginView(trx: Trx, sessionId: string, accountId: string): Promise<View> {
  const { rows } = await sql<View>`
    update sessions s
    set viewed_account_id = a.id, viewed_until = date_trunc('milliseconds', now()) + interval '30 minutes'
    from accounts a
    where s.id = ${sessionId} and a.id = ${accountId}
    returning a.id as "accountId", a.name as "accountName", a.suspended_since as "suspendedSince",
      s.viewed_until as until`.execute(trx);
  // The session has ended since the request began.
  if (!rows[0]) throw new Refusal('unauthenticated');
  return rows[0];
}
