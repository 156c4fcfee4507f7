import { sql } from 'kysely';
import type { listMyAccounts as endpoint } from '../../contract/people/accounts.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { accountsOf, showAccount } from './account.ts';
import type { Db } from '../db/pool.ts';

export async function listMyAccounts(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listMyAccounts', caller.userId];
  const from = readCursor(signer, scope, cursor);
  const rows = await accountsOf(db, caller.userId)
    .select(['member.id as member_id', 'member.created_at'])
    .$if(from !== null, (rows) => rows.where(sql<boolean>`(member.created_at, member.id) > (${from?.at}, ${from?.id})`))
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ created_at, member_id }) => ({
    at: created_at,
    id: member_id,
  }));
  return { status: 200, body: { accounts: page.map((row) => showAccount(row, caller.accountId)), next_cursor } };
}
