import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { receiveWebhook } from '../../contract/billing.ts';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import type { Db } from '../kit/db.ts';
import { Refusal } from '../kit/refusal.ts';
import { paidEvent, sendEvent } from './sandbox.ts';

type Parts = { db: Db; catalog: Catalog; publicUrl: string; config: { webhookSecrets: readonly string[] } };
type CheckoutRequest = FastifyRequest<{ Params: { id: string } }>;

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}
button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}a{color:#1d4ed8}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (given: string) => given.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

function page(reply: FastifyReply, title: string, body: string) {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)}</title><style>${style}</style></head><body><main><h1>${text(title)}</h1>${body}</main></body></html>`);
}

function priceText({ price }: Plan): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(price.unit_amount / 10 ** digits)} per ${price.interval}`;
}

const paidPage = (id: string) => `/sandbox/checkout/${id}/paid`;

/** The address at which this very request arrived: the event goes to our own webhook route over HTTP, as any event does. */
function originOf({ socket }: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The sandbox's checkout: a page with a pay button, outside the API document. Paying sends the signed event, which grants. */
export function sandboxPages({ db, catalog, publicUrl, config }: Parts): (app: FastifyInstance) => Promise<void> {
  const find = async (id: string) => {
    const checkout = await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst();
    const plan = checkout && checkout.expires_at > new Date() && catalog.plans.get(checkout.code);
    if (!plan) throw new Refusal('not_found', { message: 'This checkout is closed or unknown.' });
    return { checkout, plan };
  };
  const home = `<p><a href="${text(publicUrl)}">Back to Atelier</a></p>`;

  return async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null)); // a form without fields

    app.get('/sandbox/checkout/:id', async (request: CheckoutRequest, reply) => {
      const { checkout, plan } = await find(request.params.id);
      if (checkout.paid_at) return reply.redirect(paidPage(checkout.id), 303);
      return page(
        reply,
        `Checkout: ${plan.name}`,
        `<p>${text(plan.name)}, ${plan.quota} ${text(plan.unit)}s: ${text(priceText(plan))}.</p>
<p>This is the sandbox. No money moves.</p>
<form method="post" action="${text(request.params.id)}/pay"><button>Pay ${text(priceText(plan))}</button></form>${home}`,
      );
    });

    app.post('/sandbox/checkout/:id/pay', async (request: CheckoutRequest, reply) => {
      const { checkout, plan } = await find(request.params.id);
      if (checkout.paid_at) return reply.redirect(paidPage(checkout.id), 303);
      const [secret = ''] = config.webhookSecrets;
      const sent = await sendEvent(
        originOf(request) + receiveWebhook.path,
        secret,
        paidEvent(checkout, plan, new Date()),
      );
      if (!sent.ok) throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
      return reply.redirect(paidPage(checkout.id), 303);
    });

    app.get('/sandbox/checkout/:id/paid', (_request, reply) =>
      page(
        reply,
        'Payment sent',
        `<p>The plan is active as soon as the provider's signed event has arrived.</p>${home}`,
      ),
    );
  };
}
