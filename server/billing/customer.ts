import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Provider } from './provider.ts';

const customersOf = (db: Db, provider: Provider['name'], accountId: string) =>
  db
    .selectFrom('provider_customers')
    .select('customer')
    .where((row) => row.and({ account_id: accountId, provider }));

export async function currentCustomer(db: Db, provider: Provider['name'], accountId: string): Promise<string | null> {
  const bound = await customersOf(db, provider, accountId).where('gone_at', 'is', null).executeTakeFirst();
  return bound?.customer ?? null;
}

/** The last customer that the provider lost. Concurrent requests create the same replacement. */
export async function lostCustomer(db: Db, provider: Provider['name'], accountId: string): Promise<string | null> {
  const lost = await customersOf(db, provider, accountId)
    .where('gone_at', 'is not', null)
    .orderBy('gone_at', 'desc')
    .executeTakeFirst();
  return lost?.customer ?? null;
}

/** Of two concurrent requests one binds; both continue with the bound customer. */
export async function bindCustomer(
  db: Db,
  provider: Provider['name'],
  accountId: string,
  customer: string,
): Promise<string> {
  await db
    .insertInto('provider_customers')
    .values({ account_id: accountId, provider, customer })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const bound = await currentCustomer(db, provider, accountId);
  if (bound === null) throw new Error('The provider answered a customer that is bound to another account.');
  return bound;
}

/** The provider no longer has this customer. It stays bound, because events about it may still arrive. */
export async function loseCustomer(db: Db, customer: string): Promise<void> {
  await db
    .updateTable('provider_customers')
    .set({ gone_at: sql`now()` })
    .where('customer', '=', customer)
    .where('gone_at', 'is', null)
    .execute();
}
