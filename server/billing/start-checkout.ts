import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import type { startCheckout as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause } from '../http/cause.ts';
import type { Request } from '../http/request.ts';
import { type Catalog, findPlan, type Plan } from '../catalog/catalog.ts';
import { usablePlans } from '../entitlements/entitlement.ts';
import type { Db } from '../db/pool.ts';
import { badBody, type Detail, Refusal } from '../http/refusal.ts';
import { type Checkout, keepCheckout, lastCheckout, openCheckout, type Wanted } from './checkout.ts';
import { bindCustomer, currentCustomer, loseCustomer } from './customer.ts';
import { priceChecks } from './prices.ts';
import { CustomerGone, type Provider } from './provider.ts';
import { returnUrl } from './return-url.ts';

type Parts = {
  db: Db;
  log: FastifyBaseLogger;
  catalog: Catalog;
  provider: Provider;
  publicUrl: string;
  config: { periodGraceHours: number };
};

/** The parts, and on whose behalf. */
type Asked = Parts & { cause: Cause };

/** Milliseconds for all that the provider is asked: a caller is answered within five seconds. */
export const giveUpAfter = 4_000;

export const unavailable = (details: Detail[] = []) =>
  new Refusal('checkout_unavailable', { headers: { 'retry-after': '30' }, details });

/** Where to pay for a tier. It grants nothing: access comes with the provider's signed event. */
export async function startCheckout(
  parts: Parts,
  { caller, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, catalog, config } = parts;
  const plan = findPlan(catalog, body.tier);
  if (!plan) throw badBody([{ location: '/tier', message: `must be one of ${[...catalog.plans.keys()].join(', ')}` }]);
  const held = await usablePlans(db, caller.accountId, config.periodGraceHours);
  const rival = held.find(({ access_kind }) => servesSame(access_kind, plan.access_kind));
  if (rival) throw alreadyActive(rival.code, rival.access_kind, plan);
  const wrong = (await priceChecks(parts)).filter(({ verified }) => !verified);
  // What differs is the operator's business; a customer is told that there is no checkout.
  const told = caller.operator ? wrong.map(({ plan, reason }) => ({ location: plan.code, message: reason ?? '' })) : [];
  if (wrong.length > 0) throw unavailable(told);

  const checkout = await pTimeout(checkoutFor({ ...parts, cause }, caller.accountId, plan), {
    milliseconds: giveUpAfter,
    message: unavailable(),
  });
  const { id, url, customer, expires_at } = checkout;
  return { status: 201, body: { checkout: { id, url, customer, expires_at: expires_at.toISOString() } } };
}

/** Whether both plans serve sessions, or both serve API keys: then the account changes its plan instead of having two. */
const servesSame = (one: Plan['access_kind'], other: Plan['access_kind']) =>
  one === other || one === 'both' || other === 'both';

const served = (kind: Plan['access_kind']) =>
  ({ human: 'sessions', agent: 'API keys', both: 'sessions and API keys' })[kind];

const alreadyActive = (code: string, kind: Plan['access_kind'], plan: Plan) =>
  new Refusal('plan_already_active', {
    message:
      code === plan.code
        ? `The account already has the plan ${code}.`
        : `The account has the plan ${code}, which serves ${served(kind)} already.`,
  });

/** The open checkout, or a new one, of the customer that is bound to the account; the first time one is made and bound. */
async function checkoutFor(parts: Asked, accountId: string, plan: Plan): Promise<Checkout> {
  const { db, provider } = parts;
  const customer = (await currentCustomer(db, provider.name, accountId)) ?? (await newCustomer(parts, accountId, null));
  const wanted = { account_id: accountId, code: plan.code, price: plan.price.id, customer };
  const open = await openCheckout(db, wanted);
  if (open) return open;
  return newCheckout(parts, wanted, plan).catch(async (error: unknown) => {
    if (!(error instanceof CustomerGone)) throw error;
    await loseCustomer(db, customer);
    return newCheckout(parts, { ...wanted, customer: await newCustomer(parts, accountId, customer) }, plan);
  });
}

async function newCustomer(parts: Parts, accountId: string, gone: string | null): Promise<string> {
  const { db, provider } = parts;
  const customer = await reach(parts, provider.createCustomer(accountId, gone));
  return bindCustomer(db, provider.name, accountId, customer);
}

async function newCheckout(parts: Asked, wanted: Wanted, plan: Plan): Promise<Checkout> {
  const { db, provider, publicUrl, cause } = parts;
  const { account_id: accountId, customer } = wanted;
  const [successUrl, cancelUrl] = [returnUrl(publicUrl, 'success'), returnUrl(publicUrl, 'cancel')];
  const order = { accountId, customer, plan, successUrl, cancelUrl };
  const after = await lastCheckout(db, wanted);
  const { id, url, expiresAt } = await reach(parts, provider.createCheckout({ ...order, after }));
  return db.transaction().execute(async (trx) => {
    const kept = await keepCheckout(trx, { ...wanted, id, url, expires_at: expiresAt });
    const details = { plan: plan.code };
    if (kept.id === id) await appendAudit(trx, cause, { action: 'checkout.started', subject: id, accountId, details });
    return kept;
  });
}

/** When the provider cannot answer, checkout is closed for now. */
export async function reach<T>({ log }: Pick<Parts, 'log'>, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof CustomerGone) throw error;
    log.error({ err: error }, 'the payment provider did not answer');
    throw unavailable();
  });
}
