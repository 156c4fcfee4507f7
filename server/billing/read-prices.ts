import type { readPrices as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { priceChecks } from './prices.ts';
import type { Provider } from './provider.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider };

export async function readPrices(dependencies: Dependencies): Promise<AnswerOf<typeof endpoint>> {
  const checks = await priceChecks(dependencies);
  const prices = checks.map(({ plan: { code, price }, verified, reason, checkedAt }) => {
    const checked_at = checkedAt?.toISOString() ?? null;
    return { plan_code: code, price, verified, reason, checked_at };
  });
  const checkout_available = checks.every(({ verified }) => verified);
  return { status: 200, body: { prices, checkout_available, livemode: dependencies.provider.livemode } };
}
