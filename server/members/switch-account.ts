import type { switchAccount as endpoint } from '../../contract/people/accounts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { accountsOf, actFor, showAccount } from './account.ts';
import { type Db, transact } from '../db/pool.ts';

/** The person's other sessions keep their account. */
export async function switchAccount(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('acct', params.id);
  const account = id && (await accountsOf(db, caller.userId).where('account.id', '=', id).executeTakeFirst());
  if (!account) throw new Refusal('account_not_found', { message: 'You do not belong to this account.' });
  await transact(db, async (trx) => {
    await actFor(trx, caller, account.id);
    await appendAudit(trx, cause, { action: 'session.account_switched', subject: params.id, accountId: account.id });
  });
  return { status: 200, body: { account: showAccount(account, account.id) } };
}
