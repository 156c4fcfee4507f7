import type { Catalog } from '../catalog/catalog.ts';
import type { Provider } from './provider.ts';
import { openSandbox } from './sandbox.ts';
import { openStripe, type StripeSettings } from './stripe.ts';

/** Stripe where there is a key; else the sandbox, which the configuration refuses in production. */
export const openProvider = (
  { stripe }: { stripe: StripeSettings | null },
  { plans }: Catalog,
  publicUrl: string,
): Provider => (stripe ? openStripe(stripe) : openSandbox(plans, publicUrl));
