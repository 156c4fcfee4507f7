import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { sign } from '../../server/billing/signature.ts';
import { showId } from '../../server/lib/id.ts';
import type { TestPerson } from './people.ts';
import type { Got, Service } from './harness.ts';

/** Pays an open checkout on the sandbox's page, which sends the signed event. `url` is what start checkout answered. */
export async function pay(service: Service, url: string): Promise<Response> {
  return fetch(`${service.url}${new URL(url).pathname}/pay`, { method: 'POST', redirect: 'manual' });
}

/**
 * Has the person's account hold a plan, the way every account comes to one: checkout, payment, signed event. Beside a plan
 * for the same kind of caller there is no checkout: such a subscription was made at the provider.
 */
export async function grant(service: Service, person: TestPerson, tier: string) {
  await verifyPrices(service.context);
  const started = await service.call('POST', '/api/checkout/tier', { as: person.token, body: { plan_code: tier } });
  if (started.body.error?.code === 'plan_already_active') {
    const customer = `cus_sandbox_${person.accountId.replaceAll('-', '')}`;
    const names = { accountId: person.accountId, customer, subscription: `sub_${randomUUID()}` };
    expect((await sendEvent(service, subscriptionEvent(service, names, tier))).body.status).toBe('processed');
  } else {
    expect(started.status).toBe(201);
    expect((await pay(service, started.body.checkout.url)).status).toBe(303);
  }
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: person.token });
  expect(body.entitlements[0]).toMatchObject({ plan_code: tier, status: 'active' });
  return body.entitlements[0];
}

export const seconds = (at: Date | number | string): number => Math.floor(new Date(at).getTime() / 1000);

type Fields = {
  id?: string;
  type?: string;
  livemode?: boolean;
  created?: number;
  /** Laid over `data.object`; undefined takes a field away. */
  object?: Record<string, unknown>;
};

/** A subscription event as the provider makes it for a plan of `plans.yaml`, with the documented fields only. */
export function subscriptionEvent(
  service: Service,
  { accountId, customer, subscription }: { accountId: string; customer: string; subscription: string },
  tier: string,
  { id = `evt_${randomUUID()}`, type = 'customer.subscription.updated', object, ...fields }: Fields = {},
) {
  const plan = service.context.catalog.plans.get(tier);
  const price = { id: plan?.price.id, product: plan?.price.product, unit_amount: plan?.price.unit_amount };
  return {
    id,
    type,
    livemode: false,
    ...fields,
    data: {
      object: {
        customer,
        subscription,
        items: { data: [{ price }] },
        metadata: { service_entitlement_code: tier, service_account_id: showId('acct', accountId) },
        ...object,
      },
    },
  };
}

type Sending = {
  secret?: string;
  /** When it was signed, in seconds; now unless told otherwise. */
  at?: number;
  /** Instead of the right signature. Null sends none. */
  header?: string | null;
};

/** Posts an event, or raw bytes, to the webhook route: signed with the secret of the test service. */
export function sendEvent(
  service: Service,
  event: object | string | Uint8Array,
  { secret = 'whsec_test', at = seconds(Date.now()), header }: Sending = {},
): Promise<Got> {
  const raw = typeof event === 'string' || event instanceof Uint8Array ? event : JSON.stringify(event);
  const signature = header === undefined ? sign(secret, at, Buffer.from(raw as string)) : header;
  const headers: Record<string, string> = signature === null ? {} : { 'stripe-signature': signature };
  return service.call('POST', '/api/stripe/webhook', { raw, headers });
}

/** Binds a provider customer to the person's account, as starting a checkout does. */
export async function bindCustomer(service: Service, person: TestPerson): Promise<string> {
  await verifyPrices(service.context);
  const started = await service.call('POST', '/api/checkout/tier', { as: person.token, body: { plan_code: 'solo' } });
  expect(started.status).toBe(201);
  return started.body.checkout.customer;
}
