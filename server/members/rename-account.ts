import type { renameAccount as endpoint } from '../../contract/people/accounts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { showAccount } from './account.ts';
import { lockMembers } from './member.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

export async function renameAccount(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, cause } = request;
  const { name } = request.body;
  const { accountId: id, role } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    await lockMembers(trx, caller);
    await trx.updateTable('accounts').set({ name }).where('id', '=', id).execute();
    await appendAudit(trx, cause, { action: 'account.renamed', subject: showId('acct', id), accountId: id });
    return { status: 200, body: { account: showAccount({ id, name, role }, id) } };
  });
}
