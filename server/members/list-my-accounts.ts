import type { listMyAccounts as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { accountsOf, showAccount } from './account.ts';
import type { Db } from '../db/pool.ts';

export async function listMyAccounts(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const accounts = await accountsOf(db, caller.userId).execute();
  return { status: 200, body: { accounts: accounts.map((account) => showAccount(account, caller.accountId)) } };
}
