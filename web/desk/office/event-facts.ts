import type { PriceChecks, ProviderEvent } from '../../app/api.ts';
import { sayMoney } from './money-words.ts';

type Posted = {
  data?: {
    object?: {
      metadata?: { service_entitlement_code?: unknown } | null;
      items?: { data?: { price?: { id?: unknown; unit_amount?: unknown; currency?: unknown } | null }[] } | null;
    };
  };
};

/** What the event says and should not say, in a few words; null where the sentence says enough. */
export function wrongFact({ reason, payload }: ProviderEvent, checks: PriceChecks | undefined): string | null {
  const { metadata, items } = (payload as Posted).data?.object ?? {};
  const code = metadata?.service_entitlement_code;
  const price = items?.data?.[0]?.price;
  if (reason === 'unknown plan code' && typeof code === 'string') return `plan “${code}”`;
  if (reason === 'unknown price' && typeof price?.id === 'string') return price.id;
  if (reason === 'wrong amount' && typeof price?.unit_amount === 'number') {
    const plan = checks?.prices.find(({ price: { id } }) => id === price.id)?.price;
    return plan
      ? `${sayMoney(price.unit_amount, plan.currency)} instead of ${sayMoney(plan.unit_amount, plan.currency)}`
      : null;
  }
  if (reason === 'wrong currency' && typeof price?.currency === 'string') return price.currency.toUpperCase();
  return null;
}
