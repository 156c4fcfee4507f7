import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import type { Db } from '../kit/db.ts';
import type { Provider, ProviderPrice } from './provider.ts';

type Parts = { db: Db; log: FastifyBaseLogger; catalog: Catalog; provider: Provider };

/**
 * Asks the provider for the price of every plan and keeps whether it is as `plans.yaml` says; checkout stays closed until
 * all are (specification part 1, rule 5). A provider that cannot be reached verifies nothing.
 */
export async function verifyPrices({ db, log, catalog, provider }: Parts): Promise<void> {
  for (const plan of catalog.plans.values()) {
    const reason = await provider.findPrice(plan.price.id).then(
      (found) => difference(plan, found, provider.livemode),
      (error: unknown) => {
        log.warn({ err: error }, 'the payment provider did not answer');
        return 'the payment provider did not answer';
      },
    );
    if (reason !== null) log.warn({ plan: plan.code, reason }, 'price not verified: checkout stays closed');
    const verdict = { verified: reason === null, reason, checked_at: sql<Date>`now()` };
    await db
      .insertInto('plan_prices')
      .values({ code: plan.code, ...verdict })
      .onConflict((conflict) => conflict.column('code').doUpdateSet(verdict))
      .execute();
  }
}

/** How the price at the provider differs from the plan's; null when it does not. */
function difference({ price }: Plan, found: ProviderPrice | null, livemode: boolean): string | null {
  if (!found) return 'the price does not exist';
  if (!found.active) return 'the price is not active';
  const fields = ['product', 'unit_amount', 'currency', 'interval'] as const;
  const wrong = fields.filter((field) => found[field] !== price[field]);
  if (found.livemode !== livemode) return 'the price is of the other mode';
  return wrong.length > 0 ? `the price has another ${wrong.join(', ')}` : null;
}

/** The plans whose price was verified when it was last asked for. */
export async function verifiedCodes(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('plan_prices').select('code').where('verified', '=', true).execute();
  return new Set(rows.map(({ code }) => code));
}
