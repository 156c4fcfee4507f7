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
  tag: 'Plans',
  summary: 'Receive an event of the payment provider',
  description:
    'Authenticated by the `Stripe-Signature` header, whose timestamp may be at most 300 seconds off. Supported: `customer.subscription.created`, `.updated`, `.deleted`, `.paused`, `.resumed`; other types are acknowledged as ignored.',
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
  csrf: true,
  idempotent: 'refused',
  answers: {
    200: { description: 'The new result. It is unchanged if the provider did not answer.', schema: PriceChecks },
  },
  errors: {},
});

const EventOutcome = Type.Enum(['processed', 'ignored'], {
  type: 'string',
  description: 'Whether the event changed what an account may do.',
});
const Reason = Nullable(Type.String(), 'Why it was ignored.');

const ProviderEvent = Closed(
  {
    id: Type.String({ description: 'The event id of the provider.' }),
    type: Type.String({ description: 'The type of the event, as the provider names it.' }),
    outcome: EventOutcome,
    reason: Reason,
    account_id: Nullable(Id('acct'), 'The account to which the customer is bound.'),
    subscription: Nullable(Type.String(), 'The subscription at the provider; null where the event has none.'),
    customer: Nullable(Type.String(), 'The customer at the provider; null where the event has none.'),
    livemode: Type.Boolean({ description: 'False for an event of a test.' }),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The fields that the service reads, as the provider sent them. Other fields are not stored.',
    }),
    reviews: Type.Array(
      Closed({
        reviewed_by: Creator,
        reviewed_at: Timestamp('When it was re-evaluated.'),
        outcome: EventOutcome,
        reason: Reason,
      }),
      { description: 'Re-evaluations, by whom and with what outcome. Oldest first.' },
    ),
    created_at: Timestamp('When the provider created it.'),
    received_at: Timestamp('When it arrived.'),
  },
  { $id: 'ProviderEvent', description: 'An event of the payment provider and its outcome.' },
);

export const listProviderEvents = endpoint({
  operationId: 'listProviderEvents',
  method: 'GET',
  path: '/api/operator/v1/provider-events',
  tag: 'Desk',
  summary: 'List the events of the payment provider',
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
    'After its cause was fixed: by the same rules, at its original position among the events of its subscription. If it would still be ignored, only its reason is updated. A processed event stays unchanged.',
  auth: 'operator',
  csrf: true,
  idempotent: 422,
  params: Closed({
    id: Type.String({ description: 'The event id of the provider.', examples: ['evt_1QxTf2LkdIwHu7ix0Ab1Cd2E'] }),
  }),
  answers: {
    200: { description: 'The event after the evaluation.', schema: Closed({ provider_event: ProviderEvent }) },
  },
  errors: { 404: ['provider_event_not_found'] },
});
