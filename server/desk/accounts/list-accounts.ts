import { sql } from 'kysely';
import type { listAccounts as endpoint } from '../../../contract/desk/accounts.ts';
import { cleanEmail } from '../../../contract/typed.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { containing } from '../../db/containing.ts';
import { byCreation, cutPage, readCursor } from '../../db/cursor.ts';
import { readId } from '../../lib/id.ts';
import { deskAccounts, showDeskAccount } from './desk-account.ts';
import { accountsOf } from '../../entitlements/standing.ts';
import type { Db } from '../../db/pool.ts';
import type { Signer } from '../../lib/signer.ts';

/** All accounts, newest first. Without a search, those of operators who never had a plan are left out. */
export async function listAccounts(
  { db, signer, graceHours }: { db: Db; signer: Signer; graceHours: number },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { q = '', standing, limit = 25 } = query;
  const scope = ['listAccounts', q, ...(standing === undefined ? [] : [standing])];
  const from = readCursor(signer, scope, query.cursor);
  const chosen = sql`${q === '' ? ofCustomers : matches(q)}
    and ${standing === undefined ? sql`true` : sql`a.id in ${accountsOf(standing, graceHours)}`}
    and ${from === null ? sql`true` : sql`(a.created_at, a.id) < (${from.at}, ${from.id}::uuid)`}`;
  const rows = await deskAccounts(db, graceHours, chosen, limit + 1);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { accounts: page.map(showDeskAccount), next_cursor } };
}

/** Everybody has an account. An operator's account is listed only once it has a plan. */
const ofCustomers = sql`(exists (select from entitlements e where e.account_id = a.id)
  or not exists (select from members m join people u on u.id = m.user_id
    where m.account_id = a.id and m.role = 'owner' and u.operator))`;

const matches = (q: string) => sql`(a.name ilike ${containing(q)} or a.id = ${readId('acct', q.trim())}
  or exists (select from members m join people u on u.id = m.user_id
    where m.account_id = a.id and u.email ilike ${containing(cleanEmail(q))})
  or exists (select from imported_people p
    where p.account_id = a.id and p.email ilike ${containing(cleanEmail(q))}))`;
