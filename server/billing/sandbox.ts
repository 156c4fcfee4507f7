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

type Invoice = Pick<Subscription, 'subscription' | 'customer' | 'created' | 'period'> & {
  type: 'invoice.paid' | 'invoice.payment_failed' | 'invoice.voided' | 'invoice.marked_uncollectible';
  /** Names what is paid: the same invoice is paid once. */
  own: string;
  /** What settles a change of plan, instead of the price of a period. */
  settles?: number;
};

export function invoiceEvent(input: Invoice, { price }: Plan) {
  const { type, own, subscription, customer, period, settles } = input;
  const [start, created] = [secondsOf(period.start), secondsOf(input.created)];
  const isPaid = type === 'invoice.paid';
  const amount = settles ?? price.unit_amount;
  const object = {
    id: `in_${own}`,
    object: 'invoice',
    customer,
    parent: { type: 'subscription_details', subscription_details: { subscription } },
    currency: price.currency,
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    status_transitions: { paid_at: isPaid ? created : null },
    payments: { object: 'list', data: isPaid ? [{ payment: { type: 'charge', charge: `ch_${own}` } }] : [] },
    lines: {
      object: 'list',
      data: [
        {
          id: `il_${own}`,
          amount,
          period: { start, end: secondsOf(period.end) },
          pricing: { price_details: { price: price.id, product: price.product } },
          parent: { subscription_item_details: { subscription, proration: settles !== undefined } },
        },
      ],
    },
  };
  return {
    id: `evt_${own}_${type.slice('invoice.'.length)}`,
    object: 'event',
    type,
    livemode: false,
    created,
    data: { object },
  };
}

export function firstPeriod({ price }: Plan, now: Date): Period {
  const start = new Date(secondsOf(now) * 1000);
  return { start, end: monthsAfter(start, price.interval === 'year' ? 12 : 1) };
}

type Paid = { id: string; account_id: string; customer: string };

/** Ids derive from the checkout, so paying twice sends the same events twice. */
export function paidEvents({ id, account_id, customer }: Paid, plan: Plan, now: Date) {
  const own = id.replace('cs_', '');
  const common = { subscription: `sub_${own}`, customer, created: now, period: firstPeriod(plan, now) };
  const begins = { ...common, type: 'customer.subscription.created', accountId: account_id, status: 'active' };
  return [
    subscriptionEvent({ ...begins, id: `evt_${own}` }, plan),
    invoiceEvent({ ...common, type: 'invoice.paid', own }, plan),
  ];
}

type PortalSubscription = {
  subscription: string;
  customer: string;
  account_id: string;
  period_start: Date;
  period_end: Date;
};

export type PortalAction = 'change' | 'pay' | 'resume' | 'end';

const changes = { change: 'updated', pay: 'updated', resume: 'resumed', end: 'deleted' } as const;

/** `before`: the plan that it was. A period that is over is followed by a new one, which is paid. */
export function portalEvents(row: PortalSubscription, action: PortalAction, plan: Plan, before: Plan, now: Date) {
  const { subscription, customer, account_id: accountId, period_start: start, period_end: end } = row;
  const begins = end <= now && action !== 'end';
  const common = { subscription, customer, created: now, period: begins ? firstPeriod(plan, now) : { start, end } };
  const changed = subscriptionEvent(
    {
      ...common,
      id: `evt_sandbox_${bare(newId())}`,
      type: `customer.subscription.${changes[action]}`,
      accountId,
      status: action === 'end' ? 'canceled' : 'active',
    },
    plan,
  );
  const paid = {
    ...common,
    type: 'invoice.paid',
    own: `${subscription.replace('sub_', '')}_${secondsOf(common.period.start)}`,
  } as const;
  if (begins || action === 'pay') return [changed, invoiceEvent(paid, plan)];
  if (action !== 'change') return [changed];
  const settles = Math.max(plan.price.unit_amount - before.price.unit_amount, 0);
  return [changed, invoiceEvent({ ...paid, own: `${paid.own}_${plan.code}`, settles }, plan)];
}

/** Sends them in this order, and stops at the first that is not taken. */
export async function sendEvents(url: string, secret: string, events: readonly object[]): Promise<boolean> {
  for (const event of events) if (!(await sendEvent(url, secret, event)).ok) return false;
  return true;
}

export async function sendEvent(url: string, secret: string, event: object): Promise<Response> {
  const body = JSON.stringify(event);
  const header = sign(secret, secondsOf(new Date()), body);
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(deadlines.sandbox.answer) });
}
