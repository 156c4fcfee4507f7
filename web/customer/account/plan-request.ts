import { useEffect } from 'react';
import { useAddress } from '../../ui/page/address.ts';

/** What `plansFor` of `contract/pages.ts` puts into the address, and the draft that a person comes from. */
export type PlanRequest = { for: string; by?: string; account?: string; draft?: string };
type Name = keyof PlanRequest;

const storageKey = 'plan-request';

/** Leaves for the payment provider, which returns without what was asked for. */
export function leaveForProvider(url: string): void {
  const search = new URLSearchParams(location.search);
  if (search.has('for')) sessionStorage.setItem(storageKey, search.toString());
  location.assign(url);
}

/** Also after the way back from the provider, once. */
export function usePlanRequest(): PlanRequest | null {
  const [{ for: purpose, by, account, draft }, setAddress] = useAddress<Name>();
  useEffect(() => {
    const stored = new URLSearchParams(sessionStorage.getItem(storageKey) ?? '');
    sessionStorage.removeItem(storageKey);
    const names: Name[] = ['for', 'by', 'account', 'draft'];
    if (stored.has('for') && !purpose)
      setAddress(Object.fromEntries(names.map((name) => [name, stored.get(name) ?? undefined])));
    // oxlint-disable-next-line react/exhaustive-deps -- only when the page opens
  }, []);
  return purpose ? { for: purpose, by, account, draft } : null;
}
