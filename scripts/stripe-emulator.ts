import { createEmulator } from 'emulate';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Stripe from 'stripe';
import type { Plan } from '../server/catalog/catalog.ts';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { listeningUrl } from '../server/start/config.ts';
import { findHistory, rehearse } from './stripe-rehearsal.ts';
import { type EventChange, type Session, stripeEvent } from '../test/support/stripe-events.ts';

/** `failing once`: a failure that is stored under its key. */
export type Fault = 'silent' | 'dripping' | 'refusing' | 'failing' | 'failing once' | 'breaking';

/**
 * A foreign Stripe-compatible server (`emulate`) behind a proxy that adds what it lacks: a price's
 * `recurring`, replays of an Idempotency-Key, and subscription events. `node scripts/stripe-emulator.ts` runs
 * it next to a service and prints the settings for that.
 */
export type StripeEmulator = {
  url: string;
  /** The emulator without the proxy. */
  bareUrl: string;
  secret: string;
  fault: Fault | null;
  /** Null: events go nowhere. */
  webhookUrl: string | null;
  /** As its API lists them; null: the key may not. By default the address of the events, for all types. */
  endpoints: { url: string; status: string; enabled_events: string[] }[] | null | undefined;
  /** The service's answers to events: type, status and error code. */
  deliveries: string[];
  /** Whether a completed checkout starts its subscription automatically. */
  subscribes: boolean;
  /** What happens after a completed checkout instead. */
  play: ((session: Session) => void) | null;
  event(sessionId: string, change?: EventChange): ReturnType<typeof stripeEvent>;
  /** Sends an event signed by the official SDK. */
  deliver(event: object): Promise<Response>;
  close(): Promise<void>;
};

type Answer = { status: number; body: string; replayed?: boolean };
type Request = (request: IncomingMessage, body: string) => Promise<Answer>;

export async function openStripeEmulator(
  plans: readonly Plan[],
  port = 0,
  secret = 'whsec_emulated',
): Promise<StripeEmulator> {
  const proxy = createServer().listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  const seed = {
    products: plans.map(({ name, price }) => ({ id: price.product, name })),
    prices: plans.map(({ name, price }) => ({ ...price, product_name: name })),
    webhooks: [{ url: `${url}/relay`, events: ['*'], secret }],
  };
  const bare = await createEmulator({ service: 'stripe', port: 0, seed: { stripe: seed } });
  const sessions = new Map<string, Session>();
  const emulator: StripeEmulator = {
    url,
    bareUrl: bare.url,
    secret,
    fault: null,
    webhookUrl: null,
    endpoints: undefined,
    deliveries: [],
    subscribes: false,
    play: null,
    event(sessionId, change) {
      const session = sessions.get(sessionId);
      if (!session) throw new Error('The emulator has no such checkout session.');
      return stripeEvent(session, change);
    },
    deliver(event) {
      const payload = JSON.stringify(event);
      return post(emulator, Stripe.webhooks.generateTestHeaderString({ payload, secret }), payload);
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await bare.close();
    },
  };
  const ask = withKeys(emulator, withEndpoints(emulator, withWhatItLacks(bare.url, plans, sessions)));
  proxy.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    const serving =
      request.url === '/relay' ? relay(emulator, sessions, request, reply) : serve(emulator, ask, request, reply);
    void serving.catch(() => reply.destroy());
  });
  return emulator;
}

function post({ webhookUrl }: StripeEmulator, header: string, body: string): Promise<Response> {
  if (webhookUrl === null) throw new Error('The events of the emulator have nowhere to go.');
  return fetch(webhookUrl, { method: 'POST', headers: { 'stripe-signature': header }, body });
}

/** Forwards an event byte for byte. */
async function relay(
  emulator: StripeEmulator,
  sessions: ReadonlyMap<string, Session>,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const body = await text(request);
  if (emulator.webhookUrl === null) return void reply.end();
  const { type, data } = JSON.parse(body) as { type: string; data: { object: { id: string } } };
  const answer = await post(emulator, String(request.headers['stripe-signature']), body);
  const got = (await answer.json()) as { error?: { code: string } };
  emulator.deliveries.push([type, answer.status, got.error?.code].filter(Boolean).join(' '));
  const session = type === 'checkout.session.completed' ? sessions.get(data.object.id) : undefined;
  if (session && emulator.play) emulator.play(session);
  else if (session && emulator.subscribes) await emulator.deliver(emulator.event(session.id));
  reply.end();
}

const failure = (type: string) => JSON.stringify({ error: { type, message: 'No.' } });

async function serve(emulator: StripeEmulator, ask: Request, request: IncomingMessage, reply: ServerResponse) {
  const body = await text(request);
  reply.setHeader('content-type', 'application/json');
  switch (emulator.fault) {
    case 'silent':
      return;
    case 'dripping': {
      const drip = setInterval(() => reply.write(' '), 100);
      reply.on('close', () => clearInterval(drip));
      return;
    }
    case 'breaking':
      request.socket.resetAndDestroy();
      return;
    case 'refusing':
      reply.writeHead(401).end(failure('invalid_request_error'));
      return;
    case 'failing':
      reply.writeHead(500).end(failure('api_error'));
      return;
    default: {
      const answer = await ask(request, body);
      if (answer.replayed) reply.setHeader('idempotent-replayed', 'true');
      reply.writeHead(answer.status).end(answer.body);
    }
  }
}

/** Repeats the stored answer for a key, even a failure, as Stripe does for a day. */
function withKeys(emulator: StripeEmulator, ask: Request): Request {
  const answers = new Map<string, Promise<Answer>>();
  return async (request, body) => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string') return ask(request, body);
    const before = answers.get(key);
    if (before) return { ...(await before), replayed: true };
    const fails = emulator.fault === 'failing once';
    if (fails) emulator.fault = null;
    const answer = fails ? Promise.resolve({ status: 500, body: failure('api_error') }) : ask(request, body);
    answers.set(key, answer);
    return answer;
  };
}

function withEndpoints(emulator: StripeEmulator, ask: Request): Request {
  return async (request, body) => {
    if (!request.url?.startsWith('/v1/webhook_endpoints')) return ask(request, body);
    const { webhookUrl, endpoints } = emulator;
    if (endpoints === null) return { status: 403, body: failure('invalid_request_error') };
    const usual = webhookUrl === null ? [] : [{ url: webhookUrl, status: 'enabled', enabled_events: ['*'] }];
    const data = (endpoints ?? usual).map((fields) => ({ object: 'webhook_endpoint', ...fields }));
    return { status: 200, body: JSON.stringify({ object: 'list', has_more: false, data }) };
  };
}

/** Restores a price's `recurring`, and remembers checkout sessions for their subscriptions. */
function withWhatItLacks(bareUrl: string, plans: readonly Plan[], sessions: Map<string, Session>): Request {
  const priceOf = (id: unknown) => plans.find((plan) => plan.price.id === id)?.price;
  return async ({ method = 'GET', url = '/', headers }, body) => {
    if (url === '/v1/billing_portal/sessions') return portalSession(bareUrl, new URLSearchParams(body));
    const answer = await fetch(bareUrl + url, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'text/plain' },
      ...(method === 'GET' ? {} : { body }),
    });
    const got = (await answer.json()) as Record<string, unknown>;
    if (got.object === 'price') got.recurring = { interval: priceOf(got.id)?.interval, interval_count: 1 };
    const words = new URLSearchParams(body);
    const price = priceOf(words.get('line_items[0][price]'));
    if (got.object === 'checkout.session' && price) {
      const metadata = [...words].flatMap(([name, value]) => {
        const field = /^subscription_data\[metadata\]\[(\w+)\]$/.exec(name)?.[1];
        return field === undefined ? [] : [[field, value]];
      });
      const [id, customer] = [String(got.id), String(got.customer)];
      sessions.set(id, { id, customer, price, metadata: Object.fromEntries(metadata) });
    }
    return { status: answer.status, body: JSON.stringify(got) };
  };
}

/** A portal session for an existing customer. Its address has no page. */
async function portalSession(bareUrl: string, words: URLSearchParams): Promise<Answer> {
  const customer = words.get('customer') ?? '';
  const response = await fetch(`${bareUrl}/v1/customers/${customer}`);
  if (!response.ok) {
    const error = {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param: 'customer',
      message: 'No such customer',
    };
    return { status: 400, body: JSON.stringify({ error }) };
  }
  const url = `${bareUrl}/portal/${customer}`;
  const created = Math.floor(Date.now() / 1000);
  const session = { id: `bps_${customer}`, object: 'billing_portal.session', created, customer, livemode: false };
  return { status: 200, body: JSON.stringify({ ...session, return_url: words.get('return_url'), url }) };
}

if (import.meta.main) {
  const { plans: plansByCode } = loadCatalog(fileURLToPath(new URL('../catalog', import.meta.url)));
  const plans = [...plansByCode.values()];
  const { values: options, positionals } = parseArgs({
    options: { port: { type: 'string', default: '4009' }, play: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const history = options.play ? findHistory(positionals[0]) : null;
  const secret = process.env.STRIPE_WEBHOOK_SECRET || undefined;
  const emulator = await openStripeEmulator(plans, Number(options.port), secret).catch(({ message }: Error) => {
    process.stderr.write(`${message}. Choose its port like this: npm run stripe:emulator -- --port 4010\n`);
    process.exit(1);
  });
  const { HOST, PORT, PUBLIC_URL } = process.env;
  const origin = PUBLIC_URL?.replace(/\/$/, '') || listeningUrl(HOST || '127.0.0.1', Number(PORT || 3000));
  Object.assign(emulator, { subscribes: true, webhookUrl: `${origin}/api/stripe/webhook` });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (history) emulator.play = (session) => void rehearse(emulator, history, session, plans, say);
  const addressSettings = Object.entries({ HOST, PORT, PUBLIC_URL }).flatMap(([name, value]) =>
    value ? [`${name}=${value} `] : [],
  );
  const settings = `${addressSettings.join('')}STRIPE_SECRET_KEY=sk_test_emulated STRIPE_API_URL=${emulator.url} STRIPE_WEBHOOK_SECRET=${emulator.secret}`;
  process.stdout.write(
    `Stripe, emulated; its events go to ${origin}. Start the service with:\n\n${settings} npm start\n`,
  );
  if (history) say(`\n${history.name}: ${history.about}\nIt is played to each customer who pays a checkout.`);
}
