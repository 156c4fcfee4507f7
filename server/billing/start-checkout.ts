import type { FastifyBaseLogger } from 'fastify';
import type { startCheckout as line } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Ask } from '../accounts/ask.ts';
import type { SessionCaller } from '../accounts/caller.ts';
import { type Catalog, findPlan, type Plan } from '../catalog/catalog.ts';
import { usablePlans } from '../entitlements/entitlement.ts';
import type { Db } from '../kit/db.ts';
import { badBody, Refusal } from '../kit/refusal.ts';
import { type Checkout, keepCheckout, openCheckout } from './checkout.ts';
import { verifiedCodes } from './prices.ts';
import type { Provider } from './provider.ts';

type Parts = {
  db: Db;
  log: FastifyBaseLogger;
  catalog: Catalog;
  provider: Provider;
  publicUrl: string;
  config: { periodGraceHours: number };
};

const unavailable = () => new Refusal('checkout_unavailable', { headers: { 'retry-after': '30' } });

/** Where to pay for a tier. It grants nothing: access comes with the provider's signed event (specification part 1, rule 4). */
export async function startCheckout(parts: Parts, { caller, body }: Ask<typeof line>): Promise<AnswerOf<typeof line>> {
  const { db, catalog, config } = parts;
  const plan = findPlan(catalog, body.tier);
  if (!plan) throw badBody([{ location: '/tier', message: `must be one of ${[...catalog.plans.keys()].join(', ')}` }]);
  const held = await usablePlans(db, caller.accountId, config.periodGraceHours);
  if (held.some(({ code }) => code === plan.code)) throw new Refusal('plan_already_active');
  const verified = await verifiedCodes(db);
  if (![...catalog.plans.keys()].every((code) => verified.has(code))) throw unavailable();

  const wanted = { account_id: caller.accountId, code: plan.code, price: plan.price.id };
  const checkout = (await openCheckout(db, wanted)) ?? (await newCheckout(parts, caller, plan));
  const { id, url, customer, expires_at } = checkout;
  return { status: 201, body: { checkout: { id, url, customer, expires_at: expires_at.toISOString() } } };
}

/** Asks the provider for a customer once per account, then for a checkout. When it cannot answer, checkout is closed for now. */
async function newCheckout(
  { db, log, provider, publicUrl }: Parts,
  caller: SessionCaller,
  plan: Plan,
): Promise<Checkout> {
  const reach = async <T>(asked: Promise<T>) =>
    asked.catch((error: unknown) => {
      log.error({ err: error }, 'the payment provider did not answer');
      throw unavailable();
    });
  const customer =
    (await customerOf(db, caller.accountId)) ??
    (await bindCustomer(
      db,
      caller.accountId,
      await reach(provider.createCustomer({ id: caller.accountId, name: caller.accountName })),
    ));
  const returnTo = (result: string) => `${publicUrl}/plans?checkout=${result}`;
  const order = { accountId: caller.accountId, customer, plan };
  const made = await reach(
    provider.createCheckout({ ...order, successUrl: returnTo('success'), cancelUrl: returnTo('cancel') }),
  );
  return keepCheckout(db, {
    id: made.id,
    account_id: caller.accountId,
    code: plan.code,
    price: plan.price.id,
    customer,
    url: made.url,
    expires_at: made.expiresAt,
  });
}

async function customerOf(db: Db, accountId: string): Promise<string | null> {
  const bound = await db
    .selectFrom('provider_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return bound?.customer ?? null;
}

/** Of two requests at the same time one binds; both go on with the customer that is bound. */
async function bindCustomer(db: Db, accountId: string, customer: string): Promise<string> {
  await db
    .insertInto('provider_customers')
    .values({ account_id: accountId, customer })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  return (await customerOf(db, accountId)) ?? customer;
}
