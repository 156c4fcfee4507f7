import type { Plan } from '../catalog/catalog.ts';
import { Refusal } from '../http/refusal.ts';

export type ProviderPrice = {
  product: string;
  /** In the smallest currency unit; null without a single amount. */
  unit_amount: number | null;
  currency: string;
  /** Null for a one-time price. */
  interval: string | null;
  livemode: boolean;
  active: boolean;
};

type Order = {
  accountId: string;
  customer: string;
  plan: Plan;
  successUrl: string;
  cancelUrl: string;
  after: string | null;
};

/** Where the provider posts events. */
export type WebhookEndpoint = { url: string; isEnabled: boolean; types: readonly string[] };

/** What the service needs from a payment provider. Every method throws if the provider cannot be reached. */
export type Provider = {
  name: 'sandbox' | 'stripe_test' | 'stripe_live';
  livemode: boolean;
  findPrice(id: string): Promise<ProviderPrice | null>;
  /** Those of the mode of the key. Null: the key may not list them, or there are none, as in the sandbox. */
  listEndpoints(): Promise<WebhookEndpoint[] | null>;
  /** Returns the customer's id: the same one for the same account, unless that one is `gone`. */
  createCustomer(accountId: string, gone: string | null): Promise<string>;
  /** The subscription's metadata must name code and account. Throws `CustomerGone`. */
  createCheckout(order: Order): Promise<{ id: string; url: string; expiresAt: Date }>;
  /** Afterwards nobody can pay it. False if it was paid; an unknown checkout counts as ended. */
  endCheckout(id: string): Promise<boolean>;
  /** Throws `CustomerGone` for an unknown customer. */
  createPortal(customer: string, backUrl: string): Promise<{ url: string; expiresAt: Date }>;
};

export class CustomerGone extends Error {}

/** For a copy: reads prices, and changes nothing. */
export function readOnly(provider: Provider): Provider {
  const refuse = async () => {
    throw new Refusal('checkout_unavailable', {
      message: 'This is a copy: it changes nothing at the payment provider.',
      action: 'Change plans at the original installation.',
      headers: { 'retry-after': '3600' },
    });
  };
  return { ...provider, createCustomer: refuse, createCheckout: refuse, endCheckout: refuse, createPortal: refuse };
}
