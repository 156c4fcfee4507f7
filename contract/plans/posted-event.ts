import Type, { type TSchema } from 'typebox';

const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = (description: string) => Nullish(Type.String({ maxLength: 255, description }));
const Flag = (description: string) => Nullish(Type.Boolean({ description }));
/** In 9998, so that a month later is still a four-digit year. */
export const lastSecond = 253_370_764_799;
const Seconds = (description: string) => Nullish(Type.Integer({ minimum: 0, maximum: lastSecond, description }));
/** In the smallest unit of the currency. */
const Amount = (description: string) => Nullish(Type.Number({ description }));
const Some = <P extends Record<string, TSchema>>(fields: P, description: string) =>
  Nullish(Type.Object(fields, { description }));
const Many = <S extends TSchema>(item: S, description: string) =>
  Nullish(
    Type.Object(
      { data: Type.Array(item, { maxItems: 100, description }), has_more: Flag('Whether there are more.') },
      { description: 'A list.' },
    ),
  );

/** On the subscription before the provider's API version 2025-03-31, since then on its items. */
const bounds = {
  current_period_start: Seconds('Where the period begins, in seconds since 1970.'),
  current_period_end: Seconds('Where it ends. Without both, calendar months count.'),
};
const metadata = Some(
  {
    service_entitlement_code: Text('The plan code.'),
    service_account_id: Text('The account that started the checkout.'),
  },
  'What the checkout wrote on the subscription.',
);
const price = {
  id: Text('As in `plans.yaml`.'),
  product: Text('As in `plans.yaml`.'),
  unit_amount: Amount('As in `plans.yaml`.'),
  currency: Text('As in `plans.yaml`.'),
};
const PaidPrice = Some(price, 'The price that is paid.');

/** The fields of a subscription that are read. Open, because the provider sends more. */
const Subscription = Type.Object({
  id: Text('Where there is no `subscription`.'),
  customer: Text('Bound to an account by the checkout.'),
  subscription: Text('Whose plan it is.'),
  status: Text('Its state; none counts as active, an unknown one as stopped.'),
  currency: Text('What it is paid in.'),
  ...bounds,
  latest_invoice: Text('The invoice of the newest period.'),
  cancel_at: Seconds('When it ends.'),
  cancel_at_period_end: Flag('Whether it ends with its period.'),
  ended_at: Seconds('When it ended.'),
  pause_collection: Some({ behavior: Text('What happens to its invoices.') }, 'Null while payments are collected.'),
  items: Many(
    Type.Object({
      quantity: Amount('One.'),
      price: Some(
        {
          ...price,
          transform_quantity: Some({ divide_by: Amount('How many units are one.') }, 'Null where each unit is paid.'),
          recurring: Some(
            {
              interval: Text('As in `plans.yaml`.'),
              interval_count: Amount('One.'),
              usage_type: Text('`licensed`.'),
            },
            'How often it is paid.',
          ),
        },
        'The price that is paid.',
      ),
      ...bounds,
    }),
    'Its items; a plan has one.',
  ),
  metadata,
});

const period = Some({ start: Seconds('Where it begins.'), end: Seconds('Where it ends.') }, 'What the line pays for.');

/** Both shapes: with the subscription at the top, and since API version 2025-03-31 under its parent. */
const Invoice = Type.Object({
  id: Text('The invoice.'),
  customer: Text('Bound to an account by the checkout.'),
  subscription: Text('Whose invoice it is.'),
  parent: Some(
    { subscription_details: Some({ subscription: Text('Whose invoice it is.'), metadata }, 'Of its subscription.') },
    'What made it.',
  ),
  subscription_details: Some({ metadata }, 'Of its subscription.'),
  amount_paid: Amount('What was paid, taxes included.'),
  currency: Text('Of the amount.'),
  status_transitions: Some({ paid_at: Seconds('When it was paid.') }, 'When its status changed.'),
  charge: Text('The charge that paid it.'),
  payment_intent: Text('The payment that paid it.'),
  payments: Many(
    Type.Object({
      payment: Some({ charge: Text('Its charge.'), payment_intent: Text('Its payment.') }, 'What paid it.'),
    }),
    'What paid it.',
  ),
  lines: Many(
    Type.Object({
      period,
      type: Text('Whether it was added.'),
      proration: Flag('Whether it settles a change.'),
      price: Some({ id: Text('Its price.') }, 'What it charges.'),
      pricing: Some({ price_details: Some({ price: Text('Its price.') }, 'What it charges.') }, 'What it charges.'),
      parent: Some(
        {
          subscription_item_details: Some({ proration: Flag('Whether it settles a change.') }, 'Of its item.'),
          invoice_item_details: Some({}, 'Of what was added to it; null for its item.'),
        },
        'What made it.',
      ),
    }),
    'What it charges.',
  ),
});

const Charge = Type.Object({
  id: Text('The charge.'),
  customer: Text('Who paid it.'),
  payment_intent: Text('Its payment.'),
  invoice: Text('What it paid.'),
  amount_refunded: Amount('What was paid back of it in all.'),
  currency: Text('Of the amount.'),
});

const Dispute = Type.Object({
  id: Text('The dispute.'),
  charge: Text('What is disputed.'),
  payment_intent: Text('Its payment.'),
  amount: Amount('What is disputed of it.'),
  currency: Text('Of the amount.'),
});

export const eventId = /^[A-Za-z0-9_.:-]{1,255}$/;

const envelope = {
  id: Type.String({ pattern: eventId.source, description: 'The event id of the provider; counts once.' }),
  type: Type.String({ minLength: 1, maxLength: 255, description: 'The type of the event.' }),
  livemode: Type.Boolean({ description: 'False for an event of a test.' }),
  created: Seconds('Seconds since 1970; orders the events.'),
};
const about = <S extends TSchema>(object: S) => Type.Object({ ...envelope, data: Type.Object({ object }) });

export const AnyEvent = Type.Object(envelope);
export const SubscriptionEvent = about(Subscription);
export const InvoiceEvent = about(Invoice);
export const ChargeEvent = about(Charge);
export const DisputeEvent = about(Dispute);

/** What the specification shows of an event, and the status. The guide lists every field that is read. */
export const PostedEvent = Type.Object(
  {
    ...envelope,
    data: Type.Optional(
      Type.Object(
        {
          object: Type.Object(
            {
              customer: Text('Bound to an account by the checkout.'),
              subscription: Text('Whose plan it is; `id` where there is none.'),
              status: Text('Its state; none counts as active, an unknown one as stopped.'),
              id: Text('Of what it is about.'),
              ...bounds,
              items: Many(Type.Object({ price: PaidPrice, ...bounds }), 'Its items; a plan has one.'),
              metadata,
            },
            { $id: 'ProviderSubscription', description: 'A subscription, an invoice, a charge or a dispute.' },
          ),
        },
        { description: 'Needed for the supported types.' },
      ),
    ),
  },
  {
    description: 'The guide lists the fields that are read; others are ignored.',
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
              data: [{ price: { id: 'price_agent_monthly', product: 'prod_agent', unit_amount: 14900 } }],
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
