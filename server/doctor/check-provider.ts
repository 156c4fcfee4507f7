import { priceChecks } from '../billing/prices.ts';
import type { Provider } from '../billing/provider.ts';
import { priceReasons } from '../billing/verify-prices.ts';
import { type Catalog, offeredPlans } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { createLog } from '../lib/log.ts';
import { counted, fail, type Finding, ok, warn } from './run-checks.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider };

const verify = 'Correct the price at the provider or in plans.yaml, then run: npm run admin -- provider verify-prices';

/** Throws if the provider does not answer. */
export async function checkProvider({ catalog, provider }: Dependencies, production: boolean): Promise<Finding> {
  const [plan] = offeredPlans(catalog);
  if (plan) await provider.findPrice(plan.price.id);
  if (production && !provider.livemode)
    return warn('The provider answers in test mode: plans cost nothing.', 'Set STRIPE_SECRET_KEY to a live key.');
  return ok(provider.name === 'sandbox' ? 'The sandbox stands in for a payment provider.' : 'The provider answers.');
}

/** The prices as the provider has them now, and the verdicts that open the checkout. */
export async function checkPrices({ db, catalog, provider }: Dependencies): Promise<Finding[]> {
  const reasons = await priceReasons({ log: createLog('silent'), plans: offeredPlans(catalog), provider });
  const wrong = reasons.flatMap(({ plan, reason }) => (reason === null ? [] : [`${plan.code}: ${reason}`]));
  if (wrong.length > 0) return wrong.map((words) => fail(`Checkout is closed: ${words}.`, verify));
  const stored = await priceChecks({ db, catalog, provider });
  const unverified = stored.filter(({ verified }) => !verified).map(({ plan }) => plan.code);
  if (unverified.length === 0) return [ok(`The prices of ${counted(stored.length, 'plan')} are verified.`)];
  return [
    fail(
      `Checkout is closed: the service has not verified the prices of ${unverified.join(', ')}.`,
      'Start the service, or run: npm run admin -- provider verify-prices',
    ),
  ];
}

type Endpoint = { publicUrl: string; hasSecret: boolean };

/** Without the provider's secret every event of it is refused. */
export async function checkWebhookSecret({ name }: Provider, { publicUrl, hasSecret }: Endpoint): Promise<Finding> {
  if (hasSecret || name === 'sandbox')
    return ok(hasSecret ? 'The secret of the provider’s webhook is set.' : 'The sandbox signs its own events.');
  return fail(
    'STRIPE_WEBHOOK_SECRET is not set, so events of the provider are refused and nobody gets what they paid for.',
    `Set it to the signing secret of the endpoint ${publicUrl}/api/stripe/webhook at the provider.`,
  );
}
