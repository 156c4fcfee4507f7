import type { listPrices as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { priceChecks } from './prices.ts';
import type { Provider } from './provider.ts';

type Parts = { db: Db; catalog: Catalog; provider: Provider };

/** The price of each plan with the result of the last check, and whether checkout is open. */
export async function listPrices(parts: Parts): Promise<AnswerOf<typeof endpoint>> {
  const checks = await priceChecks(parts);
  const prices = checks.map(({ plan: { code, price }, verified, reason, checkedAt }) => {
    const checked_at = checkedAt?.toISOString() ?? null;
    return { code, price, verified, reason, checked_at };
  });
  const checkout_available = checks.every(({ verified }) => verified);
  return { status: 200, body: { prices, checkout_available, livemode: parts.provider.livemode } };
}
