import type { TSchema } from 'typebox';
import { AccountEvent, EventTypeName } from '../jobs/events.ts';
import { Closed, Timestamp } from '../shapes.ts';

const WebhookBody = Closed(
  { type: EventTypeName, timestamp: Timestamp('When the event happened.'), data: AccountEvent },
  { $id: 'WebhookBody', description: 'The body sent to a webhook endpoint: one event.' },
);

const header = (name: string, description: string, pattern: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
});

/** The request that the service sends to endpoints, as OpenAPI 3.1. */
export const webhookRequest = (refer: (schema: TSchema) => unknown) => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'Sent to each enabled endpoint of the account, for the types it asks for. Verify the signature over `webhook-id`, `webhook-timestamp` and the exact bytes of the body, joined by dots, as in Standard Webhooks; process each `webhook-id` once.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same at each attempt.', '^evt_[0-9a-z]{26}$'),
        header('webhook-timestamp', 'Seconds since 1970 at this attempt.', '^[0-9]+$'),
        header(
          'webhook-signature',
          'A signature by each valid secret, separated by spaces: HMAC-SHA256 in base64 after `v1,`.',
          '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: refer(WebhookBody) } } },
      responses: {
        '2XX': { description: 'Accepted, within 15 seconds. At most 64 KiB of the body are read.' },
        '410': { description: 'No more deliveries are wanted: the endpoint is disabled at once.' },
        default: {
          description: 'Retried, ten times over about three days. Redirects are not followed.',
          headers: {
            'Retry-After': { description: 'Delays the retry, up to a day.', schema: { type: 'string' } },
          },
        },
      },
    },
  },
});
