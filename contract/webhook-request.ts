import type { TSchema } from 'typebox';
import { AccountEvent, EventTypeName } from './events.ts';
import { Closed, Timestamp } from './shapes.ts';

const WebhookBody = Closed(
  { type: EventTypeName, timestamp: Timestamp('When the event happened.'), data: AccountEvent },
  { $id: 'WebhookBody', description: 'What is posted to a webhook endpoint: one event.' },
);

const header = (name: string, description: string, pattern: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
});

/** The one request that the service makes of its customers, as OpenAPI 3.1 says it. */
export const webhookRequest = (refer: (schema: TSchema) => unknown) => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'Sent to each enabled endpoint of the account, for the types that it asked for. Verify the signature over `webhook-id`, `webhook-timestamp` and the very bytes of the body, joined by dots, after Standard Webhooks; handle each `webhook-id` once.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same at each attempt.', '^evt_[0-9a-z]{26}$'),
        header('webhook-timestamp', 'Seconds since 1970 when this attempt was made.', '^[0-9]+$'),
        header(
          'webhook-signature',
          'A signature by each secret in force, separated by spaces: HMAC-SHA256 in base64 after `v1,`.',
          '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: refer(WebhookBody) } } },
      responses: {
        '2XX': { description: 'Taken, within 15 seconds. The body is not read beyond 64 KiB.' },
        '410': { description: 'Nobody wants to hear any more: the endpoint is disabled at once.' },
        default: {
          description: 'Tried again, ten times over about three days. Redirects are not followed.',
          headers: {
            'Retry-After': { description: 'Asks for more time, up to a day.', schema: { type: 'string' } },
          },
        },
      },
    },
  },
});
