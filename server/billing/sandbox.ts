import type { Catalog, Plan } from '../catalog/catalog.ts';
import { deadlines } from '../lib/deadlines.ts';
import { newId, showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { monthsAfter, type Period } from './anchored-month.ts';
import type { Provider } from './provider.ts';
import { sign } from './signature.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Stands in for the payment provider outside production. Takes no money. */
export function createSandbox(catalog: Pick<Catalog, 'plans'>, publicUrl: string, signer: Signer): Provider {
  return {
    name: 'sandbox',
    livemode: false,
    async findPrice(id) {
      const price = [...catalog.plans.values()].map((plan) => plan.price).find((price) => price.id === id);
      return price ? { ...price, livemode: false, active: true } : null;
    },
    listEndpoints: async () => null,
    createCustomer: async (accountId) => `cus_sandbox_${bare(accountId)}`,
    async createCheckout() {
      const id = `cs_sandbox_${bare(newId())}`;
      return { id, url: `${publicUrl}/sandbox/checkout/${id}`, expiresAt: new Date(Date.now() + day) };
    },
    endCheckout: async () => true, // its page reads the database
    async createPortal(customer) {
      const expiresAt = new Date(Date.now() + hour);
      return { url: `${publicUrl}/sandbox/portal/${writePortalToken(signer, customer, expiresAt)}`, expiresAt };
    },
  };
}

function writePortalToken(signer: Signer, customer: string, expiresAt: Date): string {
  const visit = `${customer}.${secondsOf(expiresAt)}`;
  return `${visit}.${signer.sign('sandbox portal', visit)}`;
}

export function readPortalToken(signer: Signer, token: string, now: Date): string | null {
  const [customer = '', expires = '', mac = ''] = token.split('.');
  if (!signer.verify('sandbox portal', `${customer}.${expires}`, mac)) return null;
  return now.getTime() < Number(expires) * 1000 ? customer : null;
}

const bare = (uuid: string) => uuid.replaceAll('-', '');

type Subscription = {
  id: string;
  type: string;
  subscription: string;
  customer: string;
  accountId: string;
  status: string;
  created: Date;
  period: Period;
};

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);

export function subscriptionEvent(input: Subscription, { code, price: planPrice }: Plan) {
  const { id, type, subscription, customer, accountId, status, period } = input;
  const { interval, id: price, ...fields } = planPrice;
  const created = secondsOf(input.created);
  const item = {
    id: subscription.replace('sub_', 'si_'),
    object: 'subscription_item',
    quantity: 1,
    price: { id: price, object: 'price', ...fields, recurring: { interval } },
    current_period_start: secondsOf(period.start),
    current_period_end: secondsOf(period.end),
  };
  const object = {
    id: subscription,
    object: 'subscription',
    customer,
    status,
    currency: fields.currency,
    metadata: { service_entitlement_code: code, service_account_id: showId('acct', accountId) },
    items: { object: 'list', data: [item] },
  };
  return { id, object: 'event', type, livemode: false, created, data: { object } };
}

export function firstPeriod({ price }: Plan, now: Date): Period {
  const start = new Date(secondsOf(now) * 1000);
  return { start, end: monthsAfter(start, price.interval === 'year' ? 12 : 1) };
}

type Paid = { id: string; account_id: string; customer: string };

/** Ids derive from the checkout, so paying twice sends the same event twice. */
export function paidEvent({ id, account_id, customer }: Paid, plan: Plan, now: Date) {
  const own = id.replace('cs_', '');
  return subscriptionEvent(
    {
      id: `evt_${own}`,
      type: 'customer.subscription.created',
      subscription: `sub_${own}`,
      customer,
      accountId: account_id,
      status: 'active',
      created: now,
      period: firstPeriod(plan, now),
    },
    plan,
  );
}

type PortalSubscription = {
  subscription: string;
  customer: string;
  account_id: string;
  period_start: Date;
  period_end: Date;
};

export function portalEvent(row: PortalSubscription, change: 'updated' | 'resumed' | 'deleted', plan: Plan, now: Date) {
  const { subscription, customer, account_id: accountId, period_start: start, period_end: end } = row;
  const isOver = end <= now && change !== 'deleted';
  return subscriptionEvent(
    {
      id: `evt_sandbox_${bare(newId())}`,
      type: `customer.subscription.${change}`,
      subscription,
      customer,
      accountId,
      status: change === 'deleted' ? 'canceled' : 'active',
      created: now,
      period: isOver ? firstPeriod(plan, now) : { start, end },
    },
    plan,
  );
}

export async function sendEvent(url: string, secret: string, event: object): Promise<Response> {
  const body = JSON.stringify(event);
  const header = sign(secret, secondsOf(new Date()), body);
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(deadlines.sandbox.answer) });
}
