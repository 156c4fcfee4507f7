import Type, { type TSchema } from 'typebox';
import { Plan } from './catalog.ts';
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

const Given = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = (description: string) => Given(Type.String({ maxLength: 255, description }));
const Seconds = (description: string) => Given(Type.Integer({ minimum: 0, maximum: 253_370_764_799, description }));
/** On the subscription before API version 2025-03-31 of the provider, since then on its item. */
const bounds = {
  current_period_start: Seconds('Where the period begins, in seconds since 1970.'),
  current_period_end: Seconds('Where it ends. Without both, calendar months count.'),
};

/** What is read of an event (specification part 6). The provider sends more, which is passed over: no object of it is closed. */
const Subscription = Type.Object(
  {
    id: Text('Where there is no `subscription`.'),
    customer: Text('Bound to an account by the checkout.'),
    subscription: Text('Whose plan it is.'),
    status: Text('`active`, `trialing` or nothing grants, `past_due` keeps, anything else revokes.'),
    ...bounds,
    items: Given(
      Type.Object({
        data: Type.Array(
          Type.Object({
            price: Given(
              Type.Object({
                id: Text('As in `plans.yaml`.'),
                product: Text('As in `plans.yaml`.'),
                unit_amount: Given(Type.Number({ description: 'As in `plans.yaml`.' })),
                currency: Text('As in `plans.yaml`.'),
              }),
            ),
            ...bounds,
          }),
          { maxItems: 100 },
        ),
      }),
    ),
    metadata: Given(
      Type.Object({
        service_entitlement_code: Text('The plan code.'),
        service_account_id: Text('The account that started the checkout.'),
      }),
    ),
  },
  { $id: 'ProviderSubscription', description: 'What is read of a subscription; the rest is passed over.' },
);
const Event = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,255}$', description: 'The event id of the provider; counts once.' }),
    type: Type.String({ minLength: 1, maxLength: 255 }),
    livemode: Type.Boolean(),
    created: Seconds('Seconds since 1970; orders the events.'),
    data: Type.Optional(Type.Object({ object: Subscription }, { description: 'Needed for the supported types.' })),
  },
  {
    description: 'The fields that are read; others are passed over.',
    examples: [
      {
        id: 'evt_1QxTf2LkdIwHu7ix0Ab1Cd2E',
        type: 'customer.subscription.updated',
        livemode: false,
        data: {
          object: {
            customer: 'cus_RkT4',
            subscription: 'sub_1QxTf2',
            items: {
              data: [
                { price: { id: 'price_agent_monthly', product: 'prod_agent', unit_amount: 14900, currency: 'usd' } },
              ],
            },
            metadata: {
              service_entitlement_code: 'agent',
              service_account_id: 'acct_01jd3vsh8xe7rtx1zqbdnzc4v0',
            },
          },
        },
      },
    ],
  },
);

/** The one route that reads raw bytes: its signature covers them (specification part 6). */
export const receiveWebhook = endpoint({
  operationId: 'receiveWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  tag: 'Plans',
  summary: 'Receive an event of the payment provider',
  description:
    'Authenticated by the `Stripe-Signature` header, at most 300 seconds old or early. Supported: `customer.subscription.created`, `.updated`, `.deleted`, `.paused`, `.resumed`; other types are acknowledged as ignored.',
  auth: 'public',
  headers: {
    'Stripe-Signature': {
      description: '`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 of `<timestamp>.<raw body>`, keyed with the signing secret.',
      required: true,
    },
  },
  body: Event,
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
        code: Plan.properties.code,
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

export const listPrices = endpoint({
  operationId: 'listPrices',
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
        reviewed_by: Id('user'),
        reviewed_at: Timestamp('When it was judged again.'),
        outcome: EventOutcome,
        reason: Reason,
      }),
      { description: 'Who had it judged again, and what came of it. Oldest first.' },
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
    cursor: Type.Optional(Cursor),
    limit: Type.Optional(Limit),
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
  summary: 'Have an ignored event judged again',
  description:
    'After its cause was mended: by the same rules, in its old place among the events of its subscription. One that would still be ignored stays so, with its reason of today; one that was processed is answered as it is.',
  auth: 'operator',
  csrf: true,
  params: Closed({
    id: Type.String({ description: 'The event id of the provider.', examples: ['evt_1QxTf2LkdIwHu7ix0Ab1Cd2E'] }),
  }),
  answers: { 200: { description: 'The event after it.', schema: Closed({ provider_event: ProviderEvent }) } },
  errors: { 404: ['not_found'] },
});
