import { sql } from 'kysely';
import type { listOrders as endpoint } from '../../contract/ordering/orders.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { ordersWhere, showListedOrder, statusOfOrder } from './order.ts';

export async function listOrders(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { status, cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listOrders', accountId, status?.toSorted()];
  const from = readCursor(signer, scope, cursor);
  const having = status ? sql`${statusOfOrder} = any(${status})` : sql`true`;
  const before = from ? sql`(o.created_at, o.id) < (${from.at}, ${from.id}::uuid)` : sql`true`;
  const rows = await ordersWhere(
    db,
    accountId,
    sql`${having} and ${before}`,
    sql`order by o.created_at desc, o.id desc limit ${limit + 1}`,
  );
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { orders: page.map(showListedOrder), next_cursor } };
}
