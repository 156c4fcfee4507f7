import { customerPages } from '../../contract/pages.ts';

/** Where the provider's portal leads back to. */
export const plansUrl = (publicUrl: string) => `${publicUrl}${customerPages.plans}`;

/**
 * Where the provider sends the customer when the checkout is over. The parameter chooses words and nothing else: anybody
 * can write that address, so the page does not say that something was paid.
 */
export const returnUrl = (publicUrl: string, result: 'success' | 'cancel') =>
  `${plansUrl(publicUrl)}?checkout=${result}`;
