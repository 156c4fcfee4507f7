import type { listPlans as endpoint } from '../../contract/catalog.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Context } from '../context.ts';

/** The plans. Checkout is available once the prices of all of them were verified. */
export function listPlans(
  { catalog }: Pick<Context, 'catalog'>,
  verifiedCodes: ReadonlySet<string>,
): AnswerOf<typeof endpoint> {
  const plans = [...catalog.plans.values()];
  const checkout_available = plans.every(({ code }) => verifiedCodes.has(code));
  return { status: 200, body: { plans: plans.map((plan) => ({ ...plan, checkout_available })) } };
}
