import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import type { startCheckout as endpoint } from '../../contract/plans/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { isPlain, planSentence, remedyOf } from '../../contract/plans/plan-words.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause, Request } from '../http/request.ts';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import { runningPlans, showFacts } from '../entitlements/entitlement.ts';
import { type Db, lockAccount, transact, type Trx } from '../db/pool.ts';
import { badBody, type Detail, Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import { sayMoment } from '../lib/moment.ts';
import {
  type Checkout,
  expireCheckout,
  keepCheckout,
  lastCheckout,
  openCheckout,
  type Replaced,
  replaceCheckouts,
  servesSame,
  type CheckoutTerms,
} from './checkout.ts';
import { bindCustomer, currentCustomer, loseCustomer, lostCustomer } from './customer.ts';
import { priceChecks } from './prices.ts';
import { CustomerGone, type Provider } from './provider.ts';
import { returnUrl } from './return-url.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';

type Dependencies = {
  db: Db;
  log: FastifyBaseLogger;
  catalog: Catalog;
  provider: Provider;
  publicUrl: string;
  config: { periodGraceHours: number };
};

type CheckoutRequest = Dependencies & { cause: Cause };

export const unavailable = (details: Detail[] = []) =>
  new Refusal('checkout_unavailable', { headers: { 'retry-after': '30' }, details });

/** Grants nothing: access comes with the provider's signed event. */
export async function startCheckout(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, catalog } = dependencies;
  const { caller, body, cause } = request;
  const earlier = await earlierAnswer<AnswerOf<typeof endpoint>>(db, request);
  if (earlier) return earlier;
  const plans = offeredPlans(catalog);
  const plan = plans.find(({ code }) => code === body.plan_code);
  if (!plan)
    throw badBody([{ location: '/plan_code', message: `must be one of ${plans.map(({ code }) => code).join(', ')}` }]);
  await refuseBesideActive(dependencies, caller.accountId, plan);
  const wrong = (await priceChecks(dependencies)).filter(({ verified }) => !verified);
  // Only an operator learns what differs; a customer learns that checkout is unavailable.
  const details = caller.operatorRole
    ? wrong.map(({ plan, reason }) => ({ location: plan.code, message: reason ?? '' }))
    : [];
  if (wrong.length > 0) throw unavailable(details);

  const checkout = await pTimeout(checkoutFor({ ...dependencies, cause }, caller.accountId, plan), {
    milliseconds: deadlines.provider.checkout,
    message: unavailable(),
  });
  const { id, url, customer, expires_at } = checkout;
  const shown = { id, url, customer, expires_at: expires_at.toISOString() };
  // Requests at once with one key get the same open checkout, so that recording it afterwards is enough.
  return withIdempotencyKey(db, request, async () => ({ status: 201, body: { checkout: shown } }));
}

/** Refuses a plan for callers that another plan serves, or served before it was stopped. */
async function refuseBesideActive(
  { db, config }: Pick<Dependencies, 'config'> & { db: Db | Trx },
  accountId: string,
  plan: Plan,
) {
  const running = await runningPlans(db, accountId, config.periodGraceHours);
  const rival = running.find(({ access_kind }) => servesSame(access_kind, plan.access_kind));
  if (!rival) return;
  const facts = showFacts(rival);
  const first =
    rival.plan_code === plan.code
      ? `The account already has the plan ${rival.plan_code}.`
      : `The account has the plan ${rival.plan_code}, which already serves ${served(rival.access_kind)}.`;
  const rest = isPlain(facts) ? '' : ` ${planSentence(facts, sayMoment)}`;
  const act = acts[remedyOf(facts) ?? 'change'];
  throw new Refusal('plan_already_active', {
    message: `${first}${rest}`,
    action: `${act} it with POST /api/checkout/portal.`,
  });
}

const acts = { resume: 'Resume or end', pay: 'Pay or end', keep: 'Keep or end', ask: 'End', change: 'Change or end' };

const served = (kind: Plan['access_kind']) =>
  ({ human: 'sessions', agent: 'API keys', both: 'sessions and API keys' })[kind];

/** The open checkout or a new one, for a customer that is created and bound the first time. */
async function checkoutFor(dependencies: CheckoutRequest, accountId: string, plan: Plan): Promise<Checkout> {
  const { db, catalog, provider } = dependencies;
  const customer =
    (await currentCustomer(db, provider.name, accountId)) ?? (await newCustomer(dependencies, accountId));
  const terms = { account_id: accountId, code: plan.code, price: plan.price.id, customer };
  const { open, after, replaced } = await transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    const open = await openCheckout(trx, terms);
    const after = await lastCheckout(trx, terms);
    return { open, after, replaced: await replaceCheckouts(trx, accountId, plan, catalog.plans, open) };
  });
  await endReplaced(dependencies, accountId, replaced);
  if (open) return open;
  return newCheckout(dependencies, terms, plan, after).catch(async (error: unknown) => {
    if (!(error instanceof CustomerGone)) throw error;
    await loseCustomer(db, customer);
    return newCheckout(dependencies, { ...terms, customer: await newCustomer(dependencies, accountId) }, plan, after);
  });
}

async function newCustomer(dependencies: Dependencies, accountId: string): Promise<string> {
  const { db, provider } = dependencies;
  const gone = await lostCustomer(db, provider.name, accountId);
  const customer = await reach(dependencies, provider.createCustomer(accountId, gone));
  return bindCustomer(db, provider.name, accountId, customer);
}

async function newCheckout(
  dependencies: CheckoutRequest,
  terms: CheckoutTerms,
  plan: Plan,
  after: string | null,
): Promise<Checkout> {
  const { db, catalog, provider, publicUrl, cause } = dependencies;
  const { account_id: accountId, customer } = terms;
  const [successUrl, cancelUrl] = [returnUrl(publicUrl, 'success'), returnUrl(publicUrl, 'cancel')];
  const order = { accountId, customer, plan, successUrl, cancelUrl };
  const { id, url, expiresAt } = await reach(dependencies, provider.createCheckout({ ...order, after }));
  const { kept: checkout, replaced } = await transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    await refuseBesideActive({ ...dependencies, db: trx }, accountId, plan);
    const stored = await keepCheckout(trx, { ...terms, id, url, expires_at: expiresAt }, after);
    const details = { plan_code: plan.code };
    if (stored?.id === id)
      await appendAudit(trx, cause, { action: 'checkout.started', subject: id, accountId, details });
    return { kept: stored, replaced: await replaceCheckouts(trx, accountId, plan, catalog.plans, stored) };
  });
  const unkept = checkout?.id === id ? [] : [{ id, code: plan.code }];
  await endReplaced(dependencies, accountId, [...unkept, ...replaced]);
  return checkout ?? checkoutFor(dependencies, accountId, plan);
}

async function endReplaced({ db, provider, ...dependencies }: Dependencies, accountId: string, replaced: Replaced[]) {
  for (const { id, code } of replaced) {
    if (!(await reach(dependencies, provider.endCheckout(id))))
      throw new Refusal('plan_already_active', {
        message: `The payment for the plan ${code} is under way.`,
        action: 'Wait until it is confirmed or has failed.',
      });
    await expireCheckout(db, accountId, id);
  }
}

export async function reach<T>({ log }: Pick<Dependencies, 'log'>, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (error instanceof CustomerGone || error instanceof Refusal) throw error;
    log.error({ err: error }, 'the payment provider did not answer');
    throw unavailable();
  });
}
