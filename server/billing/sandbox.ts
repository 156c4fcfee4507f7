import type { Catalog, Plan } from '../catalog/catalog.ts';
import { newId, showId } from '../kit/id.ts';
import { monthsAfter } from './anchored-month.ts';
import type { Provider } from './provider.ts';
import { sign } from './signature.ts';

const day = 86_400_000;

/** Stands in where no provider is configured, never in production. It has the shipped prices and takes no money. */
export function openSandbox(plans: Catalog['plans'], publicUrl: string): Provider {
  return {
    name: 'sandbox',
    livemode: false,
    async findPrice(id) {
      const price = [...plans.values()].map((plan) => plan.price).find((price) => price.id === id);
      return price ? { ...price, livemode: false, active: true } : null;
    },
    createCustomer: async (accountId) => `cus_sandbox_${bare(accountId)}`,
    async createCheckout() {
      const id = `cs_sandbox_${bare(newId())}`;
      return { id, url: `${publicUrl}/sandbox/checkout/${id}`, expiresAt: new Date(Date.now() + day) };
    },
  };
}

const bare = (uuid: string) => uuid.replaceAll('-', '');

type Paid = { id: string; account_id: string; customer: string };

/**
 * The event that the provider sends for a paid checkout. Its ids come from the checkout: paying twice sends the same event
 * twice, and the second is a duplicate.
 */
export function paidEvent({ id, account_id, customer }: Paid, { code, price: planPrice }: Plan, now: Date) {
  const own = id.replace('cs_', '');
  const { product, unit_amount, currency, interval, id: price } = planPrice;
  const start = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const end = monthsAfter(start, interval === 'year' ? 12 : 1);
  const created = start.getTime() / 1000;
  const bounds = { current_period_start: created, current_period_end: end.getTime() / 1000 };
  const metadata = { service_entitlement_code: code, service_account_id: showId('acct', account_id) };
  return {
    id: `evt_${own}`,
    object: 'event',
    type: 'customer.subscription.created',
    livemode: false,
    created,
    data: {
      object: {
        id: `sub_${own}`,
        object: 'subscription',
        customer,
        status: 'active',
        currency,
        created,
        metadata,
        items: {
          object: 'list',
          data: [
            {
              id: `si_${own}`,
              object: 'subscription_item',
              quantity: 1,
              price: { id: price, object: 'price', product, unit_amount, currency, recurring: { interval } },
              ...bounds,
            },
          ],
        },
      },
    },
  };
}

/** Posts an event to the webhook route over HTTP, signed as the provider would. */
export async function sendEvent(url: string, secret: string, event: object): Promise<boolean> {
  const body = JSON.stringify(event);
  const header = sign(secret, Math.floor(Date.now() / 1000), body);
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
  return answer.ok;
}
