import type { listPlans as endpoint } from '../../contract/catalog.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { verifiedCodes } from './prices.ts';
import type { Provider } from './provider.ts';

type Dependencies = { db: Db; catalog: Catalog; provider: Provider };

export const listPlans = async (dependencies: Dependencies): Promise<AnswerOf<typeof endpoint>> => ({
  status: 200,
  body: { plans: showPlans(dependencies.catalog, await verifiedCodes(dependencies)) },
});

export function showPlans({ plans }: Pick<Catalog, 'plans'>, verified: ReadonlySet<string>) {
  const checkout_available = [...plans.keys()].every((code) => verified.has(code));
  return [...plans.values()].map(({ code, ...plan }) => ({ plan_code: code, ...plan, checkout_available }));
}
