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

type Order = { accountId: string; customer: string; plan: Plan; successUrl: string; cancelUrl: string };

/** The few things that the service asks of a payment provider. Each throws when the provider cannot be reached. */
export type Provider = {
  /** The mode that its prices and events must have: true where money is real. */
  livemode: boolean;
  /** Null for a price that it does not have. */
  findPrice(id: string): Promise<ProviderPrice | null>;
  /** The customer's id. Asked again for the same account, the answer is the same customer. */
  createCustomer(account: { id: string; name: string }): Promise<string>;
  /** Its events must carry `service_entitlement_code` and `service_account_id` in the metadata of the subscription. */
  createCheckout(order: Order): Promise<{ id: string; url: string; expiresAt: Date }>;
};

const refuse = async () => {
  throw new Error('No payment provider is connected.');
};

/** Production until the real provider stands here: no price is found, so checkout stays closed. Signed events are received. */
export const noProvider: Provider = {
  livemode: true,
  findPrice: async () => null,
  createCustomer: refuse,
  createCheckout: refuse,
};
