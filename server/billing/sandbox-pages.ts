import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { receiveWebhook } from '../../contract/plans/billing.ts';
import { type Catalog, priceText } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { page, text } from '../lib/html.ts';
import { Refusal } from '../http/refusal.ts';
import { returnUrl } from './return-url.ts';
import { paidEvents, sendEvents } from './sandbox.ts';

type Dependencies = { db: Db; catalog: Catalog; publicUrl: string; config: { webhookSecrets: readonly string[] } };
type CheckoutRequest = FastifyRequest<{ Params: { id: string } }>;

const paidPage = (id: string) => `/sandbox/checkout/${id}/paid`;

/** Events go to our webhook route over HTTP, even those of the sandbox. */
export function originOf({ socket }: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The sandbox's checkout page. Paying sends the signed events that grant the plan. */
export function sandboxPages({
  db,
  catalog,
  publicUrl,
  config,
}: Dependencies): (app: FastifyInstance) => Promise<void> {
  const find = async (id: string) => {
    const checkout = await db
      .selectFrom('checkouts')
      .selectAll()
      .select(sql<Date>`now()`.as('now'))
      .where('id', '=', id)
      .where('expires_at', '>', sql<Date>`now()`)
      .where('replaced_at', 'is', null)
      .executeTakeFirst();
    const plan = checkout && catalog.plans.get(checkout.code);
    if (!plan) throw new Refusal('not_found', { message: 'This checkout is closed or unknown.' });
    return { checkout, plan };
  };
  const back = (result: 'success' | 'cancel') =>
    `<p><a href="${text(returnUrl(publicUrl, result))}">Back to ${text(catalog.studio.name)}</a></p>`;

  return async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null)); // the form has no fields

    app.get('/sandbox/checkout/:id', async (request: CheckoutRequest, reply) => {
      const { checkout, plan } = await find(request.params.id);
      if (checkout.paid_at) return reply.redirect(paidPage(checkout.id), 303);
      return page(
        reply,
        `Checkout: ${plan.name}`,
        `<p>This is the sandbox. No money moves.</p>
<dl><dt>Plan</dt><dd>${text(plan.name)}</dd>
<dt>Included</dt><dd>${plan.quota} ${text(plan.unit)}s a ${plan.price.interval}</dd>
<dt>Price</dt><dd>${text(priceText(plan))}</dd></dl>
<form method="post" action="${text(request.params.id)}/pay"><button>Pay ${text(priceText(plan))}</button></form>${back('cancel')}`,
      );
    });

    app.post('/sandbox/checkout/:id/pay', async (request: CheckoutRequest, reply) => {
      const { checkout, plan } = await find(request.params.id);
      if (checkout.paid_at) return reply.redirect(paidPage(checkout.id), 303);
      const [secret = ''] = config.webhookSecrets;
      const events = paidEvents(checkout, plan, checkout.now);
      if (!(await sendEvents(originOf(request) + receiveWebhook.path, secret, events)))
        throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
      return reply.redirect(paidPage(checkout.id), 303);
    });

    app.get('/sandbox/checkout/:id/paid', (_request, reply) =>
      page(
        reply,
        'Payment sent',
        `<p>The plan is active as soon as the provider's signed event has arrived.</p>${back('success')}`,
      ),
    );
  };
}
