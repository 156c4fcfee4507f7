import type { listPlans as endpoint } from '../../contract/ordering/catalog.ts';
import { type Catalog, offeredPlans } from '../catalog/catalog.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { verifiedCodes } from './prices.ts';
import type { Provider } from './provider.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider; signer: Signer };

export async function listPlans(
  dependencies: Dependencies,
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { catalog, signer } = dependencies;
  const scope = ['listPlans'];
  const from = readCursor(signer, scope, cursor);
  const plans = showPlans(catalog, await verifiedCodes(dependencies));
  const start = from === null ? 0 : plans.findIndex(({ plan_code }) => plan_code === from.id) + 1;
  const { page, next_cursor } = cutPage(
    signer,
    scope,
    plans.slice(start, start + limit + 1),
    limit,
    ({ plan_code }) => ({ at: new Date(0), id: plan_code }),
  );
  return { status: 200, body: { plans: page, next_cursor } };
}

export function showPlans(catalog: Pick<Catalog, 'plans'>, verified: ReadonlySet<string>) {
  const plans = offeredPlans(catalog);
  const checkout_available = plans.every(({ code }) => verified.has(code));
  return plans.map((plan) => {
    const { code, retired: _, ...view } = plan;
    return { plan_code: code, ...view, checkout_available };
  });
}
