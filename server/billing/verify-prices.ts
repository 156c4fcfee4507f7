import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import type { verifyPrices as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import { type Db, databaseTime } from '../db/pool.ts';
import { byService, type Cause } from '../http/cause.ts';
import { deadlines } from '../lib/deadlines.ts';
import { listPrices } from './list-prices.ts';
import { keepPriceCheck, priceChecks, unanswered } from './prices.ts';
import type { Provider, ProviderPrice } from './provider.ts';

type Parts = { db: Db; log: FastifyBaseLogger; catalog: Catalog; provider: Provider };

const hour = 3_600_000;

/**
 * Checks every plan's price at the provider and stores whether it matches `plans.yaml`. Checkout stays closed
 * until all match. An unreachable provider verifies nothing and revokes nothing that another process
 * verified.
 */
export async function verifyPrices(
  parts: Parts,
  { cause }: { cause: Cause } = { cause: byService() },
): Promise<AnswerOf<typeof endpoint>> {
  const { log, catalog } = parts;
  await Promise.all(
    [...catalog.plans.values()].map(async (plan) => {
      const reason = await reasonAgainst(plan, parts);
      if (reason === null) log.info({ plan: plan.code }, 'price verified');
      else log.warn({ plan: plan.code, reason }, 'price not verified');
      await keepPriceCheck(parts, plan, reason, cause);
    }),
  );
  return listPrices(parts);
}

/**
 * Hourly; at every call while a price is unverified, so that a short outage does not close checkout for long.
 */
export async function verifyPricesWhenDue(parts: Parts): Promise<void> {
  const checks = await priceChecks(parts);
  const now = (await databaseTime(parts.db)).getTime();
  const isDue = checks.some(({ verified, checkedAt }) => !verified || !checkedAt || checkedAt.getTime() <= now - hour);
  if (isDue) await verifyPrices(parts);
}

async function reasonAgainst(plan: Plan, { log, provider }: Parts): Promise<string | null> {
  const asked = pTimeout(provider.findPrice(plan.price.id), { milliseconds: deadlines.provider.price });
  return asked.then(
    (found) => difference(plan, found, provider.livemode),
    (error: unknown) => {
      log.warn({ err: error }, 'the payment provider did not answer');
      return unanswered;
    },
  );
}

/** How the provider's price differs from the plan's; null if it does not. */
function difference({ price }: Plan, found: ProviderPrice | null, livemode: boolean): string | null {
  if (!found) return 'the price does not exist at the provider';
  const { product, unit_amount, currency, interval } = price;
  const wanted: ProviderPrice = { product, unit_amount, currency, interval, livemode, active: true };
  const fields = Object.keys(wanted) as (keyof ProviderPrice)[];
  const wrong = fields.filter((field) => found[field] !== wanted[field]);
  const differences = wrong.map((field) => `${field} is ${String(found[field])}, not ${String(wanted[field])}`);
  return differences.length > 0 ? `at the provider ${differences.join('; ')}` : null;
}
