import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';

export type Checkout = {
  id: string;
  account_id: string;
  customer: string;
  code: string;
  price: string;
  url: string;
  expires_at: Date;
};

/** For how long asking again gives the same checkout. */
const isOpen = sql<boolean>`checkouts.paid_at is null and checkouts.expires_at > now()
  and checkouts.created_at > now() - interval '1 hour'`;

export type Wanted = Pick<Checkout, 'account_id' | 'customer' | 'code' | 'price'>;

/**
 * The checkout that the account started for the tier within the hour and has not paid. One at an older price, or of a
 * customer that is no longer the account's, is none.
 */
export async function openCheckout(
  db: Db | Trx,
  { account_id, customer, code, price }: Wanted,
): Promise<Checkout | null> {
  const found = await db
    .selectFrom('checkouts')
    .select(['id', 'account_id', 'customer', 'code', 'price', 'url', 'expires_at'])
    .where((row) => row.and({ account_id, customer, code, price }))
    .where(isOpen)
    .executeTakeFirst();
  return found ?? null;
}

/** The id of the last checkout that the account started for the tier, whatever became of it. */
export async function lastCheckout(db: Db, { account_id, code }: Wanted): Promise<string | null> {
  const last = await db
    .selectFrom('checkouts')
    .select('id')
    .where((row) => row.and({ account_id, code }))
    .executeTakeFirst();
  return last?.id ?? null;
}

/** Remembers a checkout, unless another request opened one meanwhile: then that one is the checkout. */
export async function keepCheckout(db: Db | Trx, checkout: Checkout): Promise<Checkout> {
  const { id, customer, price, url, expires_at } = checkout;
  await db
    .insertInto('checkouts')
    .values(checkout)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'code'])
        .doUpdateSet({ id, customer, price, url, expires_at, paid_at: null, created_at: sql`now()` })
        .where(
          sql<boolean>`not (checkouts.price = excluded.price and checkouts.customer = excluded.customer and ${isOpen})`,
        ),
    )
    .execute();
  return (await openCheckout(db, checkout)) ?? checkout;
}

/** What was paid is not handed out again. */
export async function closeCheckout(trx: Trx, accountId: string, code: string): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set({ paid_at: sql`now()` })
    .where((row) => row.and({ account_id: accountId, code }))
    .where('paid_at', 'is', null)
    .execute();
}
