import type { readStudioOrders as endpoint } from '../../contract/people/studio-orders.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';

export async function readStudioOrders(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { studio_orders: { allowed: await takesStudioOrders(db, caller.accountId) } } };
}

export async function takesStudioOrders(db: Db | Trx, accountId: string): Promise<boolean> {
  const account = db.selectFrom('accounts').select('takes_studio_orders').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.takes_studio_orders === true;
}
