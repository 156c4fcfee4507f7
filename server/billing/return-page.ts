import type { FastifyInstance, FastifyRequest } from 'fastify';
import { page, text } from '../lib/html.ts';

const path = '/plans';

/** Where the provider's portal leads back to. */
export const plansUrl = (publicUrl: string) => `${publicUrl}${path}`;

/** Where the provider sends the customer when the checkout is over. A dashboard may take the address over. */
export const returnUrl = (publicUrl: string, result: 'success' | 'cancel') => `${publicUrl}${path}?checkout=${result}`;

const messages = new Map<unknown, { title: string; first: string }>([
  ['success', { title: 'Back from checkout', first: 'Thank you. There is nothing more to do here.' }],
  ['cancel', { title: 'Checkout left', first: 'You can start the checkout again at any time.' }],
]);
const others = { title: 'Plans', first: 'Plans are bought at the checkout of the payment provider.' };

/**
 * The page to come back to, outside the API document. Its parameter chooses a message and nothing else:
 * anybody can write that address, so it does not say that something was paid.
 */
export const returnPage =
  (publicUrl: string) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(path, async ({ query }: FastifyRequest<{ Querystring: { checkout?: unknown } }>, reply) => {
      const { title, first } = messages.get(query.checkout) ?? others;
      return page(
        reply,
        title,
        `<p>${first}</p>
<p>A plan starts as soon as the payment provider's signed event has arrived, usually within seconds of the payment.
<code>GET /api/v1/entitlements</code> lists the plans of your account; <a href="${text(publicUrl)}/docs">the reference</a> tells how to use them.</p>`,
      );
    });
  };
