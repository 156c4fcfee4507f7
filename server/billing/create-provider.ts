import type { Catalog } from '../catalog/catalog.ts';
import type { Provider } from './provider.ts';
import type { Signer } from '../lib/signer.ts';
import { createSandbox } from './sandbox.ts';
import { createStripe, type StripeSettings } from './stripe.ts';

export const createProvider = (
  { stripe }: { stripe: StripeSettings | null },
  catalog: Pick<Catalog, 'plans'>,
  publicUrl: string,
  signer: Signer,
): Provider => (stripe ? createStripe(stripe) : createSandbox(catalog, publicUrl, signer));
