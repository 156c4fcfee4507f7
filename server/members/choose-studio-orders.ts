import type { chooseStudioOrders as endpoint } from '../../contract/people/studio-orders.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockCounters, transact } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { lockMembers } from './member.ts';
import { takesStudioOrders } from './read-studio-orders.ts';

/** An order of the studio locks the counters, too, so none is taken on an earlier choice. */
export async function chooseStudioOrders(
  { db }: { db: Db },
  { caller, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId, userId } = caller;
  const { allowed } = body;
  await transact(db, async (trx) => {
    const members = await lockMembers(trx, caller);
    if (!members.some(({ user_id, role }) => user_id === userId && role === 'owner')) throw onlyOwners();
    await lockCounters(trx, accountId);
    if ((await takesStudioOrders(trx, accountId)) === allowed) return;
    await trx.updateTable('accounts').set({ takes_studio_orders: allowed }).where('id', '=', accountId).execute();
    const entry = { action: 'account.studio_orders_changed', subject: showId('acct', accountId), accountId } as const;
    await appendAudit(trx, cause, { ...entry, details: { allowed } });
  });
  return { status: 200, body: { studio_orders: { allowed } } };
}

const onlyOwners = () =>
  new Refusal('role_required', {
    message: 'Only an owner can let the studio order for the account.',
    action: 'Ask an owner of the account.',
  });
