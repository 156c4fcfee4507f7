import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Month, ProviderPage } from './money.ts';
import { Closed, Creator, Id, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

const EventOutcome = Type.Enum(['processed', 'ignored'], {
  type: 'string',
  description: 'Whether the event changed what an account may do.',
});
/** Why an event grants nothing. */
export const ignoredReasons = [
  'unsupported type',
  'wrong livemode',
  'missing subscription',
  'missing metadata',
  'unknown plan code',
  'unknown price',
  'price of another plan',
  'unknown product',
  'wrong amount',
  'wrong currency',
  'wrong interval',
  'wrong quantity',
  'several items',
  'unusable period',
  'unbound customer',
  'customer of another account',
  'subscription of another account',
  'older than what is already applied',
  'another product',
  'no subscription yet',
] as const;
/** Those that need nobody's look. The partial index of the events names them, too. */
export const settledReasons: readonly string[] = [
  'unsupported type',
  'older than what is already applied',
  'another product',
  'no subscription yet',
] satisfies (typeof ignoredReasons)[number][];
const Reason = Nullable(Type.String(), 'Why it was ignored.');

const ProviderEvent = Closed(
  {
    id: Type.String({ description: 'The event id of the provider.' }),
    type: Type.String({ description: 'The type of the event, as the provider names it.' }),
    outcome: EventOutcome,
    reason: Reason,
    account_id: Nullable(Id('acct'), 'The account to which the customer is bound.'),
    account_name: Nullable(Type.String(), 'Its name.'),
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
    page: ProviderPage,
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
  right: 'read_records',
  query: Closed({
    outcome: Type.Optional(EventOutcome),
    needs_look: Type.Optional(
      Type.Boolean({
        description: 'Ignored events to mend, or the others.',
      }),
    ),
    account_id: Type.Optional(Id('acct')),
    month: Type.Optional(Month),
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
  right: 'manage_records',
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
