import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import type { startCheckout as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause } from '../http/cause.ts';
import type { Request } from '../http/request.ts';
import { type Catalog, findPlan, type Plan } from '../catalog/catalog.ts';
import { runningPlans } from '../entitlements/entitlement.ts';
import { lockAccount } from '../db/lock-account.ts';
import type { Db, Trx } from '../db/pool.ts';
import { badBody, type Detail, Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import {
  type Checkout,
  expireCheckout,
  keepCheckout,
  lastCheckout,
  openCheckout,
  type Replaced,
  replaceCheckouts,
  servesSame,
  type Wanted,
} from './checkout.ts';
import { bindCustomer, currentCustomer, loseCustomer, lostCustomer } from './customer.ts';
import { priceChecks } from './prices.ts';
import { CustomerGone, type Provider } from './provider.ts';
import { returnUrl } from './return-url.ts';
import { transact } from '../db/transact.ts';

type Parts = {
  db: Db;
  log: FastifyBaseLogger;
  catalog: Catalog;
  provider: Provider;
  publicUrl: string;
  config: { periodGraceHours: number };
};

type Asked = Parts & { cause: Cause };

export const unavailable = (details: Detail[] = []) =>
  new Refusal('checkout_unavailable', { headers: { 'retry-after': '30' }, details });

/** Where to pay for a tier. Grants nothing: access comes with the provider's signed event. */
export async function startCheckout(
  parts: Parts,
  { caller, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { catalog } = parts;
  const plan = findPlan(catalog, body.tier);
  if (!plan) throw badBody([{ location: '/tier', message: `must be one of ${[...catalog.plans.keys()].join(', ')}` }]);
  await refuseBesideActive(parts, caller.accountId, plan);
  const wrong = (await priceChecks(parts)).filter(({ verified }) => !verified);
  // Only an operator learns what differs; a customer learns that checkout is unavailable.
  const told = caller.operator ? wrong.map(({ plan, reason }) => ({ location: plan.code, message: reason ?? '' })) : [];
  if (wrong.length > 0) throw unavailable(told);

  const checkout = await pTimeout(checkoutFor({ ...parts, cause }, caller.accountId, plan), {
    milliseconds: deadlines.provider.checkout,
    message: unavailable(),
  });
  const { id, url, customer, expires_at } = checkout;
  return { status: 201, body: { checkout: { id, url, customer, expires_at: expires_at.toISOString() } } };
}

/**
 * Throws if a plan of the account serves, or served before it was stopped, a kind of caller that the new plan
 * would serve.
 */
async function refuseBesideActive(
  { db, config }: Pick<Parts, 'config'> & { db: Db | Trx },
  accountId: string,
  plan: Plan,
) {
  const running = await runningPlans(db, accountId, config.periodGraceHours);
  const rival = running.find(({ access_kind }) => servesSame(access_kind, plan.access_kind));
  if (!rival) return;
  if (rival.status === 'paused')
    throw new Refusal('plan_already_active', {
      message: `The account has the plan ${rival.code}, which is paused.`,
      action: 'Resume or end it with POST /api/checkout/portal.',
    });
  if (rival.status === 'past_due')
    throw new Refusal('plan_already_active', {
      message: `The account has the plan ${rival.code}, whose payment is overdue.`,
      action: 'Pay or end it with POST /api/checkout/portal.',
    });
  throw new Refusal('plan_already_active', {
    message:
      rival.code === plan.code
        ? `The account already has the plan ${rival.code}.`
        : `The account has the plan ${rival.code}, which serves ${served(rival.access_kind)} already.`,
  });
}

const served = (kind: Plan['access_kind']) =>
  ({ human: 'sessions', agent: 'API keys', both: 'sessions and API keys' })[kind];

/**
 * The open checkout, or a new one, of the customer bound to the account. Creates and binds the customer the
 * first time.
 */
async function checkoutFor(parts: Asked, accountId: string, plan: Plan): Promise<Checkout> {
  const { db, catalog, provider } = parts;
  const customer = (await currentCustomer(db, provider.name, accountId)) ?? (await newCustomer(parts, accountId));
  const wanted = { account_id: accountId, code: plan.code, price: plan.price.id, customer };
  const { open, after, replaced } = await transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    const open = await openCheckout(trx, wanted);
    const after = await lastCheckout(trx, wanted);
    return { open, after, replaced: await replaceCheckouts(trx, accountId, plan, catalog.plans, open) };
  });
  await endReplaced(parts, accountId, replaced);
  if (open) return open;
  return newCheckout(parts, wanted, plan, after).catch(async (error: unknown) => {
    if (!(error instanceof CustomerGone)) throw error;
    await loseCustomer(db, customer);
    return newCheckout(parts, { ...wanted, customer: await newCustomer(parts, accountId) }, plan, after);
  });
}

async function newCustomer(parts: Parts, accountId: string): Promise<string> {
  const { db, provider } = parts;
  const gone = await lostCustomer(db, provider.name, accountId);
  const customer = await reach(parts, provider.createCustomer(accountId, gone));
  return bindCustomer(db, provider.name, accountId, customer);
}

async function newCheckout(parts: Asked, wanted: Wanted, plan: Plan, after: string | null): Promise<Checkout> {
  const { db, catalog, provider, publicUrl, cause } = parts;
  const { account_id: accountId, customer } = wanted;
  const [successUrl, cancelUrl] = [returnUrl(publicUrl, 'success'), returnUrl(publicUrl, 'cancel')];
  const order = { accountId, customer, plan, successUrl, cancelUrl };
  const { id, url, expiresAt } = await reach(parts, provider.createCheckout({ ...order, after }));
  const { kept, replaced } = await transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    await refuseBesideActive({ ...parts, db: trx }, accountId, plan);
    const kept = await keepCheckout(trx, { ...wanted, id, url, expires_at: expiresAt }, after);
    const details = { plan: plan.code };
    if (kept?.id === id) await appendAudit(trx, cause, { action: 'checkout.started', subject: id, accountId, details });
    return { kept, replaced: await replaceCheckouts(trx, accountId, plan, catalog.plans, kept) };
  });
  const unkept = kept?.id === id ? [] : [{ id, code: plan.code }];
  await endReplaced(parts, accountId, [...unkept, ...replaced]);
  return kept ?? checkoutFor(parts, accountId, plan);
}

/** Earlier checkouts must be unpayable before another is handed out. */
async function endReplaced({ db, provider, ...parts }: Parts, accountId: string, replaced: Replaced[]) {
  for (const { id, code } of replaced) {
    if (!(await reach(parts, provider.endCheckout(id))))
      throw new Refusal('plan_already_active', {
        message: `The plan ${code} was paid a moment ago.`,
      });
    await expireCheckout(db, accountId, id);
  }
}

/** Closes checkout for now if the provider does not answer. */
export async function reach<T>({ log }: Pick<Parts, 'log'>, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof CustomerGone) throw error;
    log.error({ err: error }, 'the payment provider did not answer');
    throw unavailable();
  });
}
