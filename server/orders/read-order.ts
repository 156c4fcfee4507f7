import type { readOrder as endpoint } from '../../contract/ordering/orders.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedOrder, showOrder } from './order.ts';

export async function readOrder(
  { db }: { db: Db },
  { caller: { accountId }, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { order: await showOrder(db, await ownedOrder(db, accountId, params.id)) } };
}
