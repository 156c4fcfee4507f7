import type { Provider } from './provider.ts';

const dashboards = {
  sandbox: null,
  stripe_test: 'https://dashboard.stripe.com/test/',
  stripe_live: 'https://dashboard.stripe.com/',
};

/** Where the studio reads more about it at the provider; without an id, of the whole account. */
export function providerPage(
  { name }: Provider,
  kind: 'customers' | 'disputes' | 'events' | 'invoices' | 'payments' | '',
  id: string | null,
): string | null {
  const dashboard = dashboards[name];
  if (dashboard === null || id === null) return null;
  return `${dashboard}${kind}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
}
