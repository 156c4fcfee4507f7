import { customerPages } from '../../contract/pages.ts';

export const plansUrl = (publicUrl: string) => `${publicUrl}${customerPages.plans}`;

/**
 * The page after a checkout. The parameter only chooses the wording: anybody can write that address, so the
 * page does not claim that something was paid.
 */
export const returnUrl = (publicUrl: string, result: 'success' | 'cancel') =>
  `${plansUrl(publicUrl)}?checkout=${result}`;
