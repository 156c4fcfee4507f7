import { createEmulator } from 'emulate';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { Plan } from '../server/catalog/catalog.ts';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { type EventChange, type Session, stripeEvent } from './stripe-events.ts';

/** Nothing at all, an answer without end, a refusal, a failure, one failure that is kept under its key, a broken connection. */
export type Fault = 'silent' | 'dripping' | 'refusing' | 'failing' | 'failing once' | 'breaking';

/**
 * A Stripe-compatible server that is not ours (`emulate`), with what it lacks added by a proxy in front of it: `recurring`
 * of a price, replays of an Idempotency-Key, and the events of subscriptions.
 * `node test/stripe-emulator.ts` runs it beside a service of yours and prints with which settings to start that.
 */
export type StripeEmulator = {
  /** For `STRIPE_API_URL`. */
  url: string;
  secret: string;
  /** The emulator itself, without what the proxy adds. */
  bareUrl: string;
  /** How the API fails, until it is null again. */
  fault: Fault | null;
  /** Where events go. */
  webhookUrl: string | null;
  /** What the emulator's own events were answered: type, status and error code. */
  deliveries: string[];
  /** Whether a completed checkout begins its subscription by itself. */
  subscribes: boolean;
  event(sessionId: string, change?: EventChange): ReturnType<typeof stripeEvent>;
  /** Posts an event, signed by the official SDK. */
  deliver(event: object): Promise<Response>;
  close(): Promise<void>;
};

const secret = 'whsec_emulated';

export async function openStripeEmulator(plans: readonly Plan[], port = 0): Promise<StripeEmulator> {
  const proxy = createServer().listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  const bare = await createEmulator({ service: 'stripe', port: 0, seed: { stripe: seedOf(plans, `${url}/relay`) } });
  const sessions = new Map<string, Session>();
  const emulator: StripeEmulator = {
    url,
    secret,
    bareUrl: bare.url,
    fault: null,
    webhookUrl: null,
    deliveries: [],
    subscribes: false,
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
  const answers = new Map<string, Promise<Answer>>();
  proxy.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    const run = request.url === '/relay' ? relay(emulator, request) : serve(emulator, plans, sessions, answers, request, reply);
    void run.then(() => request.url === '/relay' && reply.end()).catch(() => reply.destroy());
  });
  return emulator;
}

const seedOf = (plans: readonly Plan[], webhook: string) => ({
  products: plans.map(({ name, price }) => ({ id: price.product, name })),
  prices: plans.map(({ name, price }) => ({ ...price, product_name: name })),
  webhooks: [{ url: webhook, events: ['*'], secret }],
});

function post({ webhookUrl }: StripeEmulator, header: string, body: string): Promise<Response> {
  if (webhookUrl === null) throw new Error('The events of the emulator have nowhere to go.');
  return fetch(webhookUrl, { method: 'POST', headers: { 'stripe-signature': header }, body });
}

/** Passes an event of the emulator on, byte for byte. */
async function relay(emulator: StripeEmulator, request: IncomingMessage): Promise<void> {
  const body = await text(request);
  const { type, data } = JSON.parse(body) as { type: string; data: { object: { id: string } } };
  if (emulator.webhookUrl === null) return;
  const answer = await post(emulator, String(request.headers['stripe-signature']), body);
  const got = (await answer.json()) as { error?: { code: string } };
  emulator.deliveries.push([type, answer.status, got.error?.code].filter(Boolean).join(' '));
  if (emulator.subscribes && type === 'checkout.session.completed')
    await emulator.deliver(emulator.event(data.object.id));
}
