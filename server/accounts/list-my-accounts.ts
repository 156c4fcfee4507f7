import type { listMyAccounts as line } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Ask } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { accountsOf, showAccount } from './account.ts';

export async function listMyAccounts(db: Db, { caller }: Ask<typeof line>): Promise<AnswerOf<typeof line>> {
  const accounts = await accountsOf(db, caller.userId).execute();
  return { status: 200, body: { accounts: accounts.map((account) => showAccount(account, caller.accountId)) } };
}
