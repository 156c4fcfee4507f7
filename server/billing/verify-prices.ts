import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import type { verifyPrices as endpoint } from '../../contract/plans/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import { type Db, databaseTime } from '../db/pool.ts';
import { byService, type Cause } from '../http/request.ts';
import { deadlines } from '../lib/deadlines.ts';
import { readPrices } from './read-prices.ts';
import { keepPriceCheck, priceChecks, unanswered } from './prices.ts';
import type { Provider, ProviderPrice } from './provider.ts';

type Asking = { log: FastifyBaseLogger; provider: Provider };
type Dependencies = Asking & { db: Db; catalog: Catalog };

const hour = 3_600_000;

/** Checkout stays closed until all prices match. An unreachable provider changes no verdict. */
export async function verifyPrices(
  dependencies: Dependencies,
  { cause }: { cause: Cause } = { cause: byService() },
): Promise<AnswerOf<typeof endpoint>> {
  const { log } = dependencies;
  await Promise.all(
    (await priceReasons({ ...dependencies, plans: offeredPlans(dependencies.catalog) })).map(
      async ({ plan, reason }) => {
        if (reason === null) log.info({ plan: plan.code }, 'price verified');
        else log.warn({ plan: plan.code, reason }, 'price not verified');
        await keepPriceCheck(dependencies, plan, reason, cause);
      },
    ),
  );
  return readPrices(dependencies);
}

/** Why checkout would be closed, for each of the plans; null if its price is the provider's. */
export const priceReasons = ({
  plans,
  ...asking
}: Asking & { plans: readonly Plan[] }): Promise<{ plan: Plan; reason: string | null }[]> =>
  Promise.all(plans.map(async (plan) => ({ plan, reason: await reasonAgainst(plan, asking) })));

/** Hourly, or at every call while a price is unverified. */
export async function verifyPricesWhenDue(dependencies: Dependencies): Promise<void> {
  const checks = await priceChecks(dependencies);
  const now = (await databaseTime(dependencies.db)).getTime();
  const isDue = checks.some(({ verified, checkedAt }) => !verified || !checkedAt || checkedAt.getTime() <= now - hour);
  if (isDue) await verifyPrices(dependencies);
}

async function reasonAgainst(plan: Plan, { log, provider }: Asking): Promise<string | null> {
  const answer = pTimeout(provider.findPrice(plan.price.id), { milliseconds: deadlines.provider.price });
  return answer.then(
    (price) => difference(plan, price, provider.livemode),
    (error: unknown) => {
      log.warn({ err: error }, 'the payment provider did not answer');
      return unanswered;
    },
  );
}

function difference({ price }: Plan, actual: ProviderPrice | null, livemode: boolean): string | null {
  if (!actual) return 'the price does not exist at the provider';
  const { product, unit_amount, currency, interval } = price;
  const expected: ProviderPrice = { product, unit_amount, currency, interval, livemode, active: true };
  const fields = Object.keys(expected) as (keyof ProviderPrice)[];
  const wrong = fields.filter((field) => actual[field] !== expected[field]);
  const differences = wrong.map((field) => `${field} is ${String(actual[field])}, not ${String(expected[field])}`);
  return differences.length > 0 ? `at the provider ${differences.join('; ')}` : null;
}
