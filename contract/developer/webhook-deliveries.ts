import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { EventTypeName, Seq } from '../jobs/events.ts';
import { Closed, Count, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';
import { managed, notFound, webhooks } from './webhooks.ts';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead'] as const;
const DeliveryStatus = Type.Enum([...deliveryStatuses], {
  type: 'string',
  description: '`dead`: it failed and will not be retried automatically.',
});
const delivery = {
  id: Id('dlv'),
  webhook_endpoint_id: Id('hook'),
  event: Closed({ id: Id('evt'), seq: Seq, type: EventTypeName }, { description: 'The event that is delivered.' }),
  status: DeliveryStatus,
  attempt_count: Count('Attempts so far.'),
  next_attempt_at: Nullable(Timestamp('When the next attempt is due.')),
  created_at: Timestamp('When it was made.'),
  finished_at: Nullable(Timestamp('When it was delivered or given up.')),
};
export const WebhookDelivery = Closed(delivery, { $id: 'WebhookDelivery', description: 'One event for one endpoint.' });
const DeliveryWithAttempts = Closed(
  {
    ...delivery,
    attempts: Type.Array(
      Closed({
        sent_at: Timestamp('When it was sent.'),
        status: Nullable(Type.Integer(), 'The HTTP status of the response.'),
        error: Nullable(Type.String(), 'Why there was no response.'),
        ms: Count('Milliseconds until the response or failure.'),
        answer: Nullable(Type.String(), 'The beginning of the response, at most 1 kB.'),
      }),
      { description: 'Attempts, oldest first.' },
    ),
  },
  { $id: 'WebhookDeliveryWithAttempts', description: 'A delivery with each attempt.' },
);

export const testWebhookEndpoint = endpoint({
  ...managed,
  operationId: 'testWebhookEndpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/test',
  summary: 'Send a test event to a webhook endpoint',
  rate: 'test_webhook',
  description:
    'Appends `webhook_endpoint.test` to the log and delivers it once to this endpoint, even if it is disabled.',
  idempotent: 422,
  params: IdParams('hook'),
  answers: { 200: { description: 'The delivery.', schema: Closed({ webhook_delivery: WebhookDelivery }) } },
  errors: notFound,
});

export const replayWebhookEvents = endpoint({
  ...managed,
  operationId: 'replayWebhookEvents',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/replay',
  summary: 'Deliver events again',
  description:
    'Events after a seq that the endpoint accepts, at most 10,000; with `failed_only`, those that were given up. Without it, those that wait for their next attempt are tried now.',
  idempotent: 422,
  params: IdParams('hook'),
  body: Closed({
    after: { ...Seq, description: 'Only events with a greater seq.' },
    failed_only: Type.Optional(Type.Boolean({ default: false, description: 'Only events whose delivery failed.' })),
  }),
  answers: {
    200: { description: 'They are queued.', schema: Closed({ queued: Count('Deliveries made, or tried now.') }) },
  },
  errors: { ...notFound, 409: ['webhook_endpoint_disabled'], 422: ['invalid_request'] },
});

export const listWebhookDeliveries = endpoint({
  ...webhooks,
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{id}/deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description: 'Newest first. Deliveries are kept for 30 days after they ended.',
  auth: 'caller',
  params: IdParams('hook'),
  query: Closed({
    status: Type.Optional(Type.Array(DeliveryStatus, { description: 'Repeat the parameter or separate with commas.' })),
    ...page,
  }),
  answers: {
    200: {
      description: 'One page.',
      schema: Closed({ webhook_deliveries: Type.Array(WebhookDelivery), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'], ...notFound },
});

export const readWebhookDelivery = endpoint({
  ...webhooks,
  operationId: 'readWebhookDelivery',
  method: 'GET',
  path: '/api/v1/webhook-deliveries/{id}',
  summary: 'Read a delivery with its attempts',
  auth: 'caller',
  params: IdParams('dlv'),
  answers: { 200: { description: 'The delivery.', schema: Closed({ webhook_delivery: DeliveryWithAttempts }) } },
  errors: { 404: ['webhook_delivery_not_found'] },
});

export const redeliverWebhook = endpoint({
  ...managed,
  operationId: 'redeliverWebhook',
  method: 'POST',
  path: '/api/v1/webhook-deliveries/{id}/redeliver',
  summary: 'Deliver an event again',
  description:
    'Makes another delivery of the same event, which is tried once, even if the endpoint is disabled. If it arrives, the waiting delivery of the same event ends as `delivered`, and later events of the job follow at once.',
  idempotent: 422,
  params: IdParams('dlv'),
  answers: { 200: { description: 'The new delivery.', schema: Closed({ webhook_delivery: WebhookDelivery }) } },
  errors: { 404: ['webhook_delivery_not_found'] },
});
