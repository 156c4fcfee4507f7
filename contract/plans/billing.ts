import Type from 'typebox';
import { Plan } from '../ordering/catalog.ts';
import { endpoint } from '../endpoint.ts';
import { PostedEvent } from './posted-event.ts';
import { Closed, Nullable, Timestamp } from '../shapes.ts';

export const startCheckout = endpoint({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/api/checkout/tier',
  tag: 'Plans',
  summary: 'Start a checkout for a plan',
  description:
    'Pay at `url`. Access comes only with the signed event of the provider, never from the return address. An account that has a plan for the same kind of caller changes it at the portal instead, and resumes it there if it is paused, or pays what is overdue. A repeat within the hour returns the same checkout; one for another plan of the same kind of caller ends those that are open.',
  auth: 'manager',
  rate: 'start_checkout',
  csrf: true,
  idempotent: 400,
  body: Closed({
    plan_code: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A `plan_code` of GET /api/v1/plans.',
      examples: ['agent'],
    }),
  }),
  location: '{checkout.url}',
  answers: {
    201: {
      description: 'A checkout session at the payment provider.',
      schema: Closed({
        checkout: Closed(
          {
            id: Type.String({ description: 'The id of the checkout at the payment provider.' }),
            url: Type.String({ description: 'Where to pay.' }),
            customer: Type.String({ description: 'The customer at the provider that is bound to this account.' }),
            expires_at: Timestamp('When the checkout closes.'),
          },
          { description: 'Where to pay.' },
        ),
      }),
    },
  },
  errors: { 403: ['plan_already_active'], 422: ['invalid_request'], 503: ['checkout_unavailable'] },
});

export const startPortal = endpoint({
  operationId: 'startPortal',
  method: 'POST',
  path: '/api/checkout/portal',
  tag: 'Plans',
  summary: 'Open the billing page of the payment provider',
  description:
    'Changes, resumes or ends a plan, and shows and pays invoices. Changes take effect once their signed event has arrived.',
  auth: 'manager',
  whileSuspended: true,
  rate: 'start_checkout',
  csrf: true,
  idempotent: 'refused',
  location: '{portal.url}',
  answers: {
    201: {
      description: 'Open it soon; request another one for the next visit.',
      schema: Closed({
        portal: Closed(
          {
            url: Type.String({ description: 'Only for this account: do not share it.' }),
            expires_at: Timestamp('When the URL stops working.'),
          },
          { description: 'The billing page.' },
        ),
      }),
    },
  },
  errors: { 403: ['entitlement_required'], 422: ['invalid_request'], 503: ['checkout_unavailable'] },
});

/** The only route that reads raw bytes, because its signature covers them. */
export const receiveWebhook = endpoint({
  operationId: 'receiveWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  tag: 'Running it',
  summary: 'Receive an event of the payment provider',
  description:
    'Authenticated by the `Stripe-Signature` header, whose timestamp may be at most 300 seconds off. Supported: `customer.subscription.created`, `.updated`, `.deleted`, `.paused`, `.resumed`; `invoice.paid`, `.payment_failed`, `.voided`, `.marked_uncollectible`; `charge.refunded`, `charge.dispute.created`. Others are ignored.',
  auth: 'public',
  idempotent: 'by_nature',
  headers: {
    'Stripe-Signature': {
      description: '`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 of `<timestamp>.<raw body>`, keyed with the signing secret.',
      required: true,
    },
  },
  body: PostedEvent,
  answers: {
    200: {
      description: 'Recorded.',
      schema: Closed({
        received: Type.Literal(true, { description: 'Always true.' }),
        status: Type.Enum(['processed', 'duplicate', 'ignored'], {
          type: 'string',
          description: '`duplicate`: the event was received before.',
        }),
      }),
    },
  },
  errors: { 400: ['invalid_signature', 'invalid_request'] },
});

const PriceChecks = Closed(
  {
    prices: Type.Array(
      Closed({
        plan_code: Plan.properties.plan_code,
        price: Plan.properties.price,
        verified: Type.Boolean({ description: 'Whether the provider has an active price with the same fields.' }),
        reason: Nullable(Type.String(), 'The difference, or why it is unknown; null for a verified price.'),
        checked_at: Nullable(Timestamp('When the price was last checked.'), 'Null before the first check.'),
      }),
      { description: 'One per plan, in the order of `plans.yaml`.' },
    ),
    checkout_available: Type.Boolean({ description: 'Whether all of them are verified.' }),
    livemode: Type.Boolean({ description: 'Whether the provider takes real money.' }),
    webhook: Closed(
      {
        accepted_at: Nullable(Timestamp('When an event was last accepted.'), 'Null: never.'),
        refused_at: Nullable(Timestamp('When one was last refused.'), 'Null: never.'),
        refused_since: Type.Integer({ description: 'How many were refused since one was accepted.' }),
        refused_because: Nullable(
          Type.Enum(['secret', 'clock', 'mode'], {
            type: 'string',
            description: '`mode`: the secret is of the other.',
          }),
          'Null: none was.',
        ),
        renewals_without_invoices: Type.Boolean({ description: 'Renewals come without `invoice.paid`.' }),
      },
      { description: 'What became of its events.' },
    ),
  },
  { $id: 'PriceChecks', description: 'The prices of `plans.yaml` compared with those of the payment provider.' },
);

export const readPrices = endpoint({
  operationId: 'readPrices',
  method: 'GET',
  path: '/api/operator/v1/prices',
  tag: 'Desk',
  summary: 'Read whether the prices are verified',
  description: 'Checkout is closed until all are. They are checked at the start, every hour, and on request.',
  auth: 'operator',
  right: 'read_records',
  answers: { 200: { description: 'The result of the last check.', schema: PriceChecks } },
  errors: {},
});

export const verifyPrices = endpoint({
  operationId: 'verifyPrices',
  method: 'POST',
  path: '/api/operator/v1/prices/verify',
  tag: 'Desk',
  summary: 'Verify the prices now',
  auth: 'operator',
  right: 'manage_records',
  csrf: true,
  idempotent: 'refused',
  answers: {
    200: { description: 'The new result. It is unchanged if the provider did not answer.', schema: PriceChecks },
  },
  errors: {},
});
