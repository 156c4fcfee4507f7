import { customerPages } from '../../contract/pages.ts';

export const plansUrl = (publicUrl: string) => `${publicUrl}${customerPages.plans}`;

/** The parameter only chooses the wording: anybody can write that address. */
export const returnUrl = (publicUrl: string, result: 'success' | 'cancel') =>
  `${plansUrl(publicUrl)}?checkout=${result}`;
