import type { readPrices as endpoint } from '../../contract/plans/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { priceChecks } from './prices.ts';
import type { Provider } from './provider.ts';
import { readRenewals, readWebhookHealth } from './webhook-health.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider };

export async function readPrices(dependencies: Dependencies): Promise<AnswerOf<typeof endpoint>> {
  const checks = await priceChecks(dependencies);
  const prices = checks.map(({ plan: { code, price }, verified, reason, checkedAt }) => {
    const checked_at = checkedAt?.toISOString() ?? null;
    return { plan_code: code, price, verified, reason, checked_at };
  });
  const checkout_available = checks.every(({ verified }) => verified);
  const { livemode } = dependencies.provider;
  return { status: 200, body: { prices, checkout_available, livemode, webhook: await showWebhook(dependencies.db) } };
}

async function showWebhook(db: Db) {
  const { lastGood, lastBad, refusedSinceGood, cause } = await readWebhookHealth(db);
  const { missingInvoiceEvents } = await readRenewals(db);
  return {
    accepted_at: lastGood?.toISOString() ?? null,
    refused_at: lastBad?.toISOString() ?? null,
    refused_since: refusedSinceGood,
    refused_because: cause,
    renewals_without_invoices: missingInvoiceEvents,
  };
}
