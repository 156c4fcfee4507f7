import Type from 'typebox';
import { Plan } from './catalog.ts';
import { endpoint } from './endpoint.ts';
import { PostedEvent } from './posted-event.ts';
import { Closed, Creator, Id, NextCursor, Nullable, page, Timestamp } from './shapes.ts';

export const startCheckout = endpoint({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/api/checkout/tier',
  tag: 'Plans',
  summary: 'Start a checkout for a plan',
  description:
    'Pay at `url`. Access comes only with the signed event of the provider, never from the return address. An account that has a plan for the same kind of caller changes it at the portal instead, and resumes it there if it is paused, or pays what is overdue. Asked again within the hour it is the same checkout; one for another plan of the same kind of caller ends those that were open.',
  auth: 'manager',
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

export const startPortal = endpoint({
  operationId: 'startPortal',
  method: 'POST',
  path: '/api/checkout/portal',
  tag: 'Plans',
  summary: 'Open the billing page of the payment provider',
  description:
    'There a plan is changed, resumed or ended, and invoices are read and paid. What is changed there counts once its signed event has arrived.',
  auth: 'manager',
  csrf: true,
  idempotent: 'refused',
  answers: {
    201: {
      description: 'Where to go. Open it soon; ask again for another visit.',
      schema: Closed({
        portal: Closed({
          url: Type.String({ description: 'A page for this account alone: do not share it.' }),
          expires_at: Timestamp('When the URL stops working.'),
        }),
      }),
    },
  },
  errors: { 403: ['entitlement_required'], 422: ['invalid_request'], 503: ['checkout_unavailable'] },
});

/** The one route that reads raw bytes: its signature covers them. */
export const receiveWebhook = endpoint({
  operationId: 'receiveWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  tag: 'Plans',
  summary: 'Receive an event of the payment provider',
  description:
    'Authenticated by the `Stripe-Signature` header, at most 300 seconds old or early. Supported: `customer.subscription.created`, `.updated`, `.deleted`, `.paused`, `.resumed`; other types are acknowledged as ignored.',
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
        received: Type.Literal(true),
        status: Type.Enum(['processed', 'duplicate', 'ignored'], { type: 'string' }),
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
        verified: Type.Boolean({ description: 'Whether the provider has this price, in every field, and active.' }),
        reason: Nullable(Type.String(), 'What differs, or why it is not known; null for a verified price.'),
        checked_at: Nullable(Timestamp('When the provider was last asked.'), 'Null before the first time.'),
      }),
      { description: 'One for each plan, in the order of `plans.yaml`.' },
    ),
    checkout_available: Type.Boolean({ description: 'Whether all of them are verified.' }),
    livemode: Type.Boolean({ description: 'Whether the provider takes real money.' }),
  },
  { $id: 'PriceChecks', description: 'The prices of `plans.yaml` against those of the payment provider.' },
);

export const readPrices = endpoint({
  operationId: 'readPrices',
  method: 'GET',
  path: '/api/operator/v1/prices',
  tag: 'Desk',
  summary: 'Read whether the prices are verified',
  description: 'Checkout is closed until all are. They are verified at the start, every hour, and when you ask for it.',
  auth: 'operator',
  answers: { 200: { description: 'As they were when the provider was last asked.', schema: PriceChecks } },
  errors: {},
});

export const verifyPrices = endpoint({
  operationId: 'verifyPrices',
  method: 'POST',
  path: '/api/operator/v1/prices/verify',
  tag: 'Desk',
  summary: 'Verify the prices now',
  auth: 'operator',
  csrf: true,
  idempotent: 'refused',
  answers: { 200: { description: 'What the provider answered; it may not have.', schema: PriceChecks } },
  errors: {},
});

const EventOutcome = Type.Enum(['processed', 'ignored'], { type: 'string' });
const Reason = Nullable(Type.String(), 'Why it was ignored.');

const ProviderEvent = Closed(
  {
    id: Type.String({ description: 'The event id of the provider.' }),
    type: Type.String(),
    outcome: EventOutcome,
    reason: Reason,
    account_id: Nullable(Id('acct'), 'The account that the customer is bound to.'),
    subscription: Nullable(Type.String()),
    customer: Nullable(Type.String()),
    livemode: Type.Boolean(),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The fields that the service reads, as the provider sent them; nothing else of an event is kept.',
    }),
    reviews: Type.Array(
      Closed({
        reviewed_by: Creator,
        reviewed_at: Timestamp('When it was re-evaluated.'),
        outcome: EventOutcome,
        reason: Reason,
      }),
      { description: 'Who had it re-evaluated, and the outcome. Oldest first.' },
    ),
    created_at: Timestamp('When the provider made it.'),
    received_at: Timestamp('When it arrived.'),
  },
  { $id: 'ProviderEvent', description: 'What the payment provider sent, and what became of it.' },
);

export const listProviderEvents = endpoint({
  operationId: 'listProviderEvents',
  method: 'GET',
  path: '/api/operator/v1/provider-events',
  tag: 'Desk',
  summary: 'List what the payment provider sent',
  auth: 'operator',
  query: Closed({
    outcome: Type.Optional(EventOutcome),
    account_id: Type.Optional(Id('acct')),
    ...page,
  }),
  answers: {
    200: {
      description: 'Newest receipt first.',
      schema: Closed({ provider_events: Type.Array(ProviderEvent), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const reviewEvent = endpoint({
  operationId: 'reviewEvent',
  method: 'POST',
  path: '/api/operator/v1/provider-events/{id}/review',
  tag: 'Desk',
  summary: 'Re-evaluate an ignored event',
  description:
    'After its cause was fixed: by the same rules, in its old place among the events of its subscription. One that would still be ignored stays so, with its reason of today; one that was processed is answered as it is.',
  auth: 'operator',
  csrf: true,
  idempotent: 422,
  params: Closed({
    id: Type.String({ description: 'The event id of the provider.', examples: ['evt_1QxTf2LkdIwHu7ix0Ab1Cd2E'] }),
  }),
  answers: { 200: { description: 'The event after it.', schema: Closed({ provider_event: ProviderEvent }) } },
  errors: { 404: ['provider_event_not_found'] },
});
