import Type, { type TSchema } from 'typebox';

const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = (description: string) => Nullish(Type.String({ maxLength: 255, description }));
/** In 9998, so that a month later is still a four-digit year. */
export const lastSecond = 253_370_764_799;
const Seconds = (description: string) => Nullish(Type.Integer({ minimum: 0, maximum: lastSecond, description }));
/** On the subscription before the provider's API version 2025-03-31, since then on its items. */
const bounds = {
  current_period_start: Seconds('Where the period begins, in seconds since 1970.'),
  current_period_end: Seconds('Where it ends. Without both, calendar months count.'),
};

/** The fields that are read. Open, because the provider sends more. */
const Subscription = Type.Object(
  {
    id: Text('Where there is no `subscription`.'),
    customer: Text('Bound to an account by the checkout.'),
    subscription: Text('Whose plan it is.'),
    status: Text('`active`, `trialing` or nothing grants; `past_due` keeps; `paused` pauses; anything else revokes.'),
    ...bounds,
    items: Nullish(
      Type.Object(
        {
          data: Type.Array(
            Type.Object({
              price: Nullish(
                Type.Object(
                  {
                    id: Text('As in `plans.yaml`.'),
                    product: Text('As in `plans.yaml`.'),
                    unit_amount: Nullish(Type.Number({ description: 'As in `plans.yaml`.' })),
                    currency: Text('As in `plans.yaml`.'),
                  },
                  { description: 'The price that is paid.' },
                ),
              ),
              ...bounds,
            }),
            { maxItems: 100, description: 'Its items, at most 100.' },
          ),
        },
        { description: 'What the subscription is for.' },
      ),
    ),
    metadata: Nullish(
      Type.Object(
        {
          service_entitlement_code: Text('The plan code.'),
          service_account_id: Text('The account that started the checkout.'),
        },
        { description: 'What the checkout wrote on the subscription.' },
      ),
    ),
  },
  { $id: 'ProviderSubscription', description: 'The fields of a subscription that are read; others are ignored.' },
);

export const eventId = /^[A-Za-z0-9_.:-]{1,255}$/;

const envelope = {
  id: Type.String({ pattern: eventId.source, description: 'The event id of the provider; counts once.' }),
  type: Type.String({ minLength: 1, maxLength: 255, description: 'The type of the event.' }),
  livemode: Type.Boolean({ description: 'False for an event of a test.' }),
  created: Seconds('Seconds since 1970; orders the events.'),
};
const data = Type.Object({ object: Subscription }, { description: 'Needed for the supported types.' });

export const AnyEvent = Type.Object(envelope);
export const SubscriptionEvent = Type.Object({ ...envelope, data });

export const PostedEvent = Type.Object(
  { ...envelope, data: Type.Optional(data) },
  {
    description: 'The fields that are read; others are ignored.',
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
