import type { Plan } from '../catalog/catalog.ts';

/** A price as the payment provider has it. */
export type ProviderPrice = {
  product: string;
  /** In the smallest unit of the currency; null where the provider has no single amount. */
  unit_amount: number | null;
  currency: string;
  /** Null for a price that is paid once. */
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
  /** The checkout that this one comes after, if any: asked again after the same one, the answer is the same checkout. */
  after: string | null;
};

/** The few things that the service asks of a payment provider. Each throws when the provider cannot be reached. */
export type Provider = {
  /** Customers and verified prices of one provider mean nothing to another. */
  name: 'sandbox' | 'stripe_test' | 'stripe_live';
  /** The mode that its prices and events must have: true where money is real. */
  livemode: boolean;
  /** Null for a price that it does not have. */
  findPrice(id: string): Promise<ProviderPrice | null>;
  /** The customer's id. Asked again for the same account, the answer is the same one, unless that one is `gone`. */
  createCustomer(accountId: string, gone: string | null): Promise<string>;
  /**
   * Its events must carry `service_entitlement_code` and `service_account_id` in the metadata of the subscription.
   * Throws `CustomerGone` for a customer that it does not have (any more).
   */
  createCheckout(order: Order): Promise<{ id: string; url: string; expiresAt: Date }>;
  /** From then on nobody can pay it; false for one that was paid. One that it does not have is ended. */
  endCheckout(id: string): Promise<boolean>;
  /** A page where the customer changes or ends its subscriptions. Throws `CustomerGone` as above. */
  createPortal(customer: string, backUrl: string): Promise<{ url: string; expiresAt: Date }>;
};

export class CustomerGone extends Error {}
