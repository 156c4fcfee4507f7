import { sql } from 'kysely';
import type { Catalog, Plan } from '../catalog/catalog.ts';
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

/** How long a checkout is handed out again. */
const isOpen = sql<boolean>`checkouts.paid_at is null
  and checkouts.replaced_at is null and checkouts.expires_at > now()
  and checkouts.created_at > now() - interval '1 hour'`;

export type CheckoutTerms = Pick<Checkout, 'account_id' | 'customer' | 'code' | 'price'>;

/** The account's unpaid checkout of the last hour for the plan, at the current price and customer. */
export async function openCheckout(
  db: Db | Trx,
  { account_id, customer, code, price }: CheckoutTerms,
): Promise<Checkout | null> {
  const row = await db
    .selectFrom('checkouts')
    .select(['id', 'account_id', 'customer', 'code', 'price', 'url', 'expires_at'])
    .where((eb) => eb.and({ account_id, customer, code, price }))
    .where(isOpen)
    .executeTakeFirst();
  return row ?? null;
}

/** Both plans serve sessions, or both serve API keys: the account then changes its plan. */
export const servesSame = (first: Plan['access_kind'], other: Plan['access_kind']) =>
  first === other || first === 'both' || other === 'both';

export type Replaced = Pick<Checkout, 'id' | 'code'>;

/** Marks other checkouts for the same callers as replaced: paying two would create two subscriptions. */
export async function replaceCheckouts(
  trx: Trx,
  accountId: string,
  plan: Plan,
  plans: Catalog['plans'],
  except: Checkout | null,
): Promise<Replaced[]> {
  const beside = [...plans.values()].filter(({ access_kind }) => !servesSame(access_kind, plan.access_kind));
  return trx
    .updateTable('checkouts')
    .set({ replaced_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('paid_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('id', 'is distinct from', except?.id ?? null)
    .where(sql<boolean>`code <> all(${beside.map(({ code }) => code)}::text[])`)
    .returning(['id', 'code'])
    .execute();
}

export async function expireCheckout(db: Db, accountId: string, id: string): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ expires_at: sql`now()` })
    .where((eb) => eb.and({ account_id: accountId, id }))
    .where('paid_at', 'is', null)
    .execute();
}

export async function lastCheckout(db: Db, { account_id, code }: CheckoutTerms): Promise<string | null> {
  const last = await db
    .selectFrom('checkouts')
    .select('id')
    .where((eb) => eb.and({ account_id, code }))
    .executeTakeFirst();
  return last?.id ?? null;
}

/** Null, or another request's checkout, if `after` is no longer the last one. */
export async function keepCheckout(db: Db | Trx, checkout: Checkout, after: string | null): Promise<Checkout | null> {
  const { id, customer, price, url, expires_at } = checkout;
  await db
    .insertInto('checkouts')
    .values(checkout)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'code'])
        .doUpdateSet({
          id,
          customer,
          price,
          url,
          expires_at,
          paid_at: null,
          replaced_at: null,
          created_at: sql`excluded.created_at`,
        })
        .where('checkouts.id', '=', after),
    )
    .execute();
  return openCheckout(db, checkout);
}

export async function closeCheckout(trx: Trx, accountId: string, code: string): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set({ paid_at: sql`now()` })
    .where((eb) => eb.and({ account_id: accountId, code }))
    .where('paid_at', 'is', null)
    .execute();
}
