import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { sign } from '../../server/billing/signature.ts';
import { showId } from '../../server/lib/id.ts';
import type { TestPerson } from './people.ts';
import type { Got, Service } from './harness.ts';

/**
 * Pays an open checkout on its sandbox page, which sends the signed event. `url` comes from startCheckout.
 */
export async function pay(service: Service, url: string): Promise<Response> {
  return fetch(`${service.url}${new URL(url).pathname}/pay`, { method: 'POST', redirect: 'manual' });
}

/**
 * Gives the person's account a plan by checkout, payment and signed event. If it already has a plan for the
 * same kind of caller, checkout is refused, and the event of a subscription made at the provider is sent
 * instead.
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
  /** Merged into `data.object`; undefined removes a field. */
  object?: Record<string, unknown>;
};

/** A provider event about a subscription to a plan of `plans.yaml`, with only the documented fields. */
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
  /** When it was signed, in seconds; now by default. */
  at?: number;
  /** Replaces the right signature; null sends none. */
  header?: string | null;
};

/** Posts an event or raw bytes to the webhook route, signed with the secret of the test service. */
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
