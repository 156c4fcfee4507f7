import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { SessionCaller } from '../http/request.ts';
import { lockManager } from '../keys/lock-caller.ts';
import { showId } from '../lib/id.ts';
import { ownedOrder, type OrderRow } from './order.ts';

/** An order that waits, and its draft, for somebody who may decide. Locked: manager, draft, order. */
export async function lockWaitingOrder(trx: Trx, caller: SessionCaller, id: string): Promise<OrderRow> {
  const { accountId } = caller;
  await lockManager(trx, caller);
  const { session_id, id: uuid } = await ownedOrder(trx, accountId, id);
  await sql`select from intake_sessions where account_id = ${accountId} and id = ${session_id} for update`.execute(trx);
  await sql`select from orders where account_id = ${accountId} and id = ${uuid} for update`.execute(trx);
  const order = await ownedOrder(trx, accountId, id);
  if (order.created_by_user === caller.userId)
    throw new Refusal('role_required', {
      message: 'Somebody else must decide about what you ordered.',
      action: 'Ask another owner or admin of the account.',
    });
  if (order.status !== 'waiting') throw new Refusal('order_changed', { message: endings[order.status](order) });
  return order;
}

const endings: Record<Exclude<OrderRow['status'], 'waiting'>, (order: OrderRow) => string> = {
  confirmed: ({ decider_name, job_id }) =>
    `${decider_name} has confirmed this order: it is the job ${showId('job', job_id ?? '')}.`,
  declined: ({ decider_name }) => `${decider_name} has declined this order.`,
  lapsed: () => 'This order has lapsed: nobody decided within seven days.',
  ended: () => 'This order has ended: its maker lost the right to it, or the draft was closed or ordered otherwise.',
};

export const staleOrder = (version: number, seen: number) =>
  new Refusal('order_changed', {
    message: `Its maker has changed the order: it is version ${version} now, not ${seen}.`,
  });
