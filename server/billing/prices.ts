import { sql } from 'kysely';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause } from '../http/request.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Provider } from './provider.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider };

export type PriceCheck = { plan: Plan; verified: boolean; reason: string | null; checkedAt: Date | null };

const termsOf = ({ price }: Plan, provider: Provider) => ({ ...price, provider: provider.name });

export async function priceChecks({ db, catalog, provider }: Dependencies): Promise<PriceCheck[]> {
  const plans = offeredPlans(catalog);
  const terms = JSON.stringify(Object.fromEntries(plans.map((plan) => [plan.code, termsOf(plan, provider)])));
  const { rows } = await sql<{ code: string; reason: string | null; checked_at: Date }>`
    select p.code, p.reason, p.checked_at
    from plan_prices p join jsonb_each(${terms}::jsonb) wanted on wanted.key = p.code and wanted.value = p.terms`.execute(
    db,
  );
  const rowByCode = new Map(rows.map((row) => [row.code, row]));
  return plans.map((plan) => {
    const row = rowByCode.get(plan.code);
    const reason = row ? row.reason : 'the price was not verified yet';
    return { plan, verified: reason === null, reason, checkedAt: row?.checked_at ?? null };
  });
}

/** Not a verdict: it never replaces one about the same price. */
export const unanswered = 'the payment provider did not answer';

export async function verifiedCodes(dependencies: Dependencies): Promise<ReadonlySet<string>> {
  const checks = await priceChecks(dependencies);
  return new Set(checks.filter(({ verified }) => verified).map(({ plan }) => plan.code));
}

/** Audits the check if somebody requested it or the verdict changed. */
export async function keepPriceCheck(
  { db, provider }: Dependencies,
  plan: Plan,
  reason: string | null,
  cause: Cause,
): Promise<void> {
  const verdict = {
    verified: reason === null,
    reason,
    terms: JSON.stringify(termsOf(plan, provider)),
    checked_at: sql<Date>`now()`,
  };
  const { code } = plan;
  await transact(db, async (trx) => {
    const before = await trx.selectFrom('plan_prices').select('verified').where('code', '=', code).executeTakeFirst();
    await trx
      .insertInto('plan_prices')
      .values({ code, ...verdict })
      .onConflict((conflict) => {
        const update = conflict.column('code').doUpdateSet({ ...verdict, checked_at: sql<Date>`excluded.checked_at` });
        return reason === unanswered ? update.where('plan_prices.terms', 'is distinct from', verdict.terms) : update;
      })
      .execute();
    if (cause.actor === 'service' && (reason === unanswered || before?.verified === verdict.verified)) return;
    const details = { verified: verdict.verified, ...(reason === null ? {} : { reason }) };
    await appendAudit(trx, cause, { action: 'prices.verified', subject: code, accountId: null, details });
  });
}
