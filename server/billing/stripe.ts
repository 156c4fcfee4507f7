import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { deadlines } from '../lib/deadlines.ts';
import { showId } from '../lib/id.ts';
import { CustomerGone, type Provider, type ProviderPrice, type WebhookEndpoint } from './provider.ts';

export type StripeSettings = {
  secretKey: string;
  /** Null: Stripe's own address. */
  apiUrl: string | null;
};

const daySeconds = 86_400;
/** Stripe's limit for a portal address that nobody opens. */
const portalSeconds = 300;

/** Stripe through its official SDK, loaded on first use: without a key its 20 MB are not needed. */
export function createStripe(settings: StripeSettings): Provider {
  const livemode = /^[sr]k_live_/.test(settings.secretKey);
  let loaded: Promise<Stripe> | undefined;
  const stripe = () => (loaded ??= load(settings));
  return {
    name: livemode ? 'stripe_live' : 'stripe_test',
    livemode,

    async findPrice(id) {
      const { prices } = await stripe();
      const price = await prices.retrieve(id).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return price && showPrice(price);
    },

    listEndpoints: async () => listEndpoints(await stripe()),

    async createCustomer(accountId, gone) {
      const { customers } = await stripe();
      // Nothing here may change between two tries: the same key with other parameters is refused for a day.
      const params = { metadata: { service_account_id: showId('acct', accountId) } };
      const made = await createOnce([params, gone], (options) => customers.create(params, options));
      return made.id;
    },

    async createCheckout({ accountId, customer, plan, successUrl, cancelUrl, after }) {
      const { checkout } = await stripe();
      const account = showId('acct', accountId);
      const metadata = { service_entitlement_code: plan.code, service_account_id: account };
      const params = {
        mode: 'subscription',
        customer,
        client_reference_id: account,
        line_items: [{ price: plan.price.id, quantity: 1 }],
        subscription_data: { metadata },
        success_url: successUrl,
        cancel_url: cancelUrl,
      } satisfies Stripe.Checkout.SessionCreateParams;
      const made = await createOnce([params, after], (options) => checkout.sessions.create(params, options)).catch(
        (error: unknown) => {
          throw isMissing(error, 'customer') ? new CustomerGone(customer) : error;
        },
      );
      if (!made.url) throw new Error('The checkout session has no address.');
      // Compatible servers may omit the expiry, which is a day by default.
      const expires: number | undefined = made.expires_at;
      return { id: made.id, url: made.url, expiresAt: new Date((expires ?? made.created + daySeconds) * 1000) };
    },

    endCheckout: async (id) => endSession(await stripe(), id),

    async createPortal(customer, backUrl) {
      const { billingPortal } = await stripe();
      const made = await billingPortal.sessions.create({ customer, return_url: backUrl }).catch((error: unknown) => {
        throw isMissing(error, 'customer') ? new CustomerGone(customer) : error;
      });
      return { url: made.url, expiresAt: new Date((made.created + portalSeconds) * 1000) };
    },
  };
}

/** Stripe allows 16. A restricted key without the right to read them is answered 403. */
async function listEndpoints({ webhookEndpoints }: Stripe): Promise<WebhookEndpoint[] | null> {
  try {
    const { data } = await webhookEndpoints.list({ limit: 100 });
    return data.map(({ url, status, enabled_events: types }) => ({ url, isEnabled: status === 'enabled', types }));
  } catch (error) {
    if (fieldsOf(error).statusCode === 403) return null;
    throw error;
  }
}

/** Only an open session can be ended; for another one its status decides. */
async function endSession({ checkout }: Stripe, id: string): Promise<boolean> {
  try {
    await checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    const { status } = await checkout.sessions.retrieve(id);
    if (status !== 'complete' && status !== 'expired') throw error;
    return status === 'expired';
  }
}

async function load({ secretKey, apiUrl }: StripeSettings): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const { protocol, hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com');
  return new Client(secretKey, {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: deadlines.provider.answer,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

type Keyed = { idempotencyKey: string };

/** Stripe repeats stored failures for a day, so those are retried with a key of the current hour. */
async function createOnce<T>(request: unknown[], create: (options: Keyed) => Promise<T>): Promise<T> {
  const keyOf = (params: unknown[]) => createHash('sha256').update(JSON.stringify(params)).digest('hex');
  return create({ idempotencyKey: keyOf(request) }).catch((error: unknown) => {
    if (fieldsOf(error).headers?.['idempotent-replayed'] !== 'true') throw error;
    return create({ idempotencyKey: keyOf([...request, new Date().toISOString().slice(0, 13)]) });
  });
}

type StripeFailure = { code?: unknown; param?: unknown; statusCode?: unknown; headers?: Record<string, string> };
const fieldsOf = (error: unknown): StripeFailure => (error instanceof Error ? (error as StripeFailure) : {});

function isMissing(error: unknown, param?: string): boolean {
  const failure = fieldsOf(error);
  return failure.code === 'resource_missing' && (param === undefined || failure.param === param);
}

function showPrice({ product, unit_amount, currency, recurring, livemode, active }: Stripe.Price): ProviderPrice {
  return {
    product: typeof product === 'string' ? product : product.id,
    unit_amount,
    currency,
    interval: recurring ? intervalOf(recurring) : null,
    livemode,
    active,
  };
}

/** A single interval charged in advance is shown by its name, anything else by words that match no plan. */
function intervalOf({ interval, interval_count: count = 1, usage_type }: Partial<Stripe.Price.Recurring>): string {
  const name = count === 1 ? (interval ?? 'unknown') : `${count} ${interval}s`;
  return usage_type === 'metered' ? `${name}, metered` : name;
}
