import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Closed, Cursor, Id, Limit, NextCursor, Nullable, Timestamp } from './shapes.ts';

export const startCheckout = endpoint({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/api/checkout/tier',
  tag: 'Plans',
  summary: 'Start a checkout for a tier',
  description: 'Pay at `url`. Access comes only with the signed event of the provider, never from the return address.',
  auth: 'manager',
  csrf: true,
  body: Closed({
    tier: Type.String({ minLength: 1, maxLength: 100, description: 'A plan code.', examples: ['agent'] }),
  }),
  answers: {
    201: {
      description: 'A checkout session at the payment provider.',
      schema: Closed({
        checkout: Closed({
          id: Type.String(),
          url: Type.String({ description: 'Where to pay.' }),
          customer: Type.String({ description: 'The customer at the provider that is bound to this account.' }),
          expires_at: Timestamp('When the checkout closes.'),
        }),
      }),
    },
  },
  errors: { 403: ['plan_already_active'], 422: ['invalid_request'], 503: ['checkout_unavailable'] },
});

/** The one route that reads raw bytes: its signature covers them (specification part 6). */
export const receiveWebhook = endpoint({
  operationId: 'receiveWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  tag: 'Plans',
  summary: 'Receive an event of the payment provider',
  description:
    'Authenticated by the `Stripe-Signature` header: `t=<timestamp>,v1=<hex>`, HMAC-SHA-256 of `<timestamp>.<raw body>`, at most 300 seconds old or early.',
  auth: 'public',
  answers: {
    200: {
      description: 'Recorded.',
      schema: Closed({
        received: Type.Literal(true),
        status: Type.Enum(['processed', 'duplicate', 'ignored'], { type: 'string' }),
      }),
    },
  },
  errors: { 400: ['invalid_signature', 'invalid_request'] },
});

export const listProviderEvents = endpoint({
  operationId: 'listProviderEvents',
  method: 'GET',
  path: '/api/operator/v1/provider-events',
  tag: 'Desk',
  summary: 'List what the payment provider sent',
  auth: 'operator',
  query: Closed({
    outcome: Type.Optional(Type.Enum(['processed', 'ignored'], { type: 'string' })),
    cursor: Type.Optional(Cursor),
    limit: Type.Optional(Limit),
  }),
  answers: {
    200: {
      description: 'Newest receipt first.',
      schema: Closed({
        provider_events: Type.Array(
          Closed({
            id: Type.String({ description: 'The event id of the provider.' }),
            type: Type.String(),
            outcome: Type.Enum(['processed', 'ignored'], { type: 'string' }),
            reason: Nullable(Type.String(), 'Why it was ignored.'),
            account_id: Nullable(Id('acct')),
            subscription: Nullable(Type.String()),
            customer: Nullable(Type.String()),
            livemode: Type.Boolean(),
            created_at: Timestamp('When the provider made it.'),
            received_at: Timestamp('When it arrived.'),
          }),
        ),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
