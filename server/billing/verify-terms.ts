import type { ignoredReasons } from '../../contract/desk/provider-events.ts';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import { readId } from '../lib/id.ts';
import type { Provider } from './provider.ts';
import type { InvoiceEvent, SubscriptionEvent } from './provider-event.ts';

/** `servesUncollected`: periods count although the studio has paused their payment. */
export type Terms = { plans: Catalog['plans']; livemode: boolean; servesUncollected: boolean };
type Settings = { catalog: Pick<Catalog, 'plans'>; provider: Provider; config: { servesUncollected: boolean } };

export const termsOf = ({ catalog, provider, config }: Settings): Terms => ({
  plans: catalog.plans,
  livemode: provider.livemode,
  servesUncollected: config.servesUncollected,
});

/** Why an event changes nothing. Stored with the event for the operator. */
export type Reason = (typeof ignoredReasons)[number] | `${string}: not of the form that the provider documents`;

export const priced = (plans: Catalog['plans'], id: string | null | undefined): Plan | null =>
  [...plans.values()].find(({ price }) => price.id === id) ?? null;

/** The plan of the first line that names one of our prices. */
export const invoicedPlan = ({ lines }: InvoiceEvent, plans: Catalog['plans']): Plan | null =>
  lines.map(({ price }) => priced(plans, price)).find((plan) => plan !== null) ?? null;

/** The plan that is paid, if the provider charges exactly what `plans.yaml` says. */
export function paidPlan(event: SubscriptionEvent, plans: Catalog['plans']): Plan | Reason {
  const { accountId, planCode, prices, hasMorePrices } = event;
  if (accountId === null || planCode === null) return 'missing metadata';
  if (!plans.has(planCode)) return 'unknown plan code';
  const [price, ...more] = prices;
  if (more.length > 0 || hasMorePrices) return 'several items';
  const plan = priced(plans, price?.id);
  if (!price || !plan) return 'unknown price';
  if (price.product !== plan.price.product) return 'unknown product';
  if (price.amount !== plan.price.unit_amount) return 'wrong amount';
  if (price.currencies.some((currency) => currency !== plan.price.currency)) return 'wrong currency';
  if (price.interval !== null && price.interval !== plan.price.interval) return 'wrong interval';
  return price.quantity === 1 ? plan : 'wrong quantity';
}

/** The account of the event, and why the event changes nothing; null if it counts. */
export type Judgement = { accountId: string | null; reason: Reason | null };

type Event = SubscriptionEvent | InvoiceEvent;
/** `subscriber`: the account that the subscription is bound to. */
export type Owners = { accountId: string | null; subscriber: string | null; livemode: boolean };

/** Several products in one account of the provider are normal: nothing in the event is ours. */
function isForeign(event: Event, { accountId }: Owners, plans: Catalog['plans']): boolean {
  if (accountId !== null || event.accountId !== null || event.planCode !== null) return false;
  if (event.kind === 'invoice') return !event.lines.some(({ price }) => priced(plans, price));
  return event.prices.length > 0 && !event.prices.some(({ id }) => priced(plans, id));
}

/** Why the event is not about a subscription of the account of its customer; null if it is. */
export function ownerFault(event: Event, owners: Owners, plans: Catalog['plans']): Reason | null {
  const { accountId, subscriber, livemode } = owners;
  if (isForeign(event, owners, plans)) return 'another product';
  if (event.livemode !== livemode) return 'wrong livemode';
  // A studio may send a customer an invoice for something else.
  if (event.subscription === null) return event.kind === 'invoice' ? 'another product' : 'missing subscription';
  if (accountId === null) return event.accountId === null ? 'missing metadata' : 'unbound customer';
  if (event.accountId !== null && readId('acct', event.accountId) !== accountId) return 'customer of another account';
  return subscriber !== null && subscriber !== accountId ? 'subscription of another account' : null;
}
