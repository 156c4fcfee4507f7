import Type from 'typebox';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { EventTypeName, Seq } from '../jobs/events.ts';
import {
  Closed,
  Creator,
  Id,
  IdParams,
  NextAction,
  NextCursor,
  Nullable,
  page,
  ShownOnce,
  Timestamp,
} from '../shapes.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Your https URL, on port 443, without credentials and at a public address.',
  examples: ['https://hooks.example.com/atelier'],
});
const Description = Type.String({
  maxLength: 200,
  description: 'Your own name for the endpoint.',
  examples: ['Our build server'],
});
const EventTypes = Nullable(
  Type.Array(EventTypeName, { minItems: 1, maxItems: 50, uniqueItems: true }),
  'The event types it gets; null for all.',
);

export const disabledReasons = ['by_person', 'failing', 'gone', 'creator_left'] as const;
export const WebhookEndpoint = Closed(
  {
    id: Id('hook'),
    url: Type.String({ description: 'Where events are posted to.' }),
    description: Nullable(Type.String(), 'A word of yours for the endpoint.'),
    types: EventTypes,
    enabled: Type.Boolean({ description: 'Whether events are posted.' }),
    disabled_reason: Nullable(
      Type.Enum([...disabledReasons], { type: 'string' }),
      '`failing`: five days without a success. `gone`: it answered 410. `creator_left`: its creator no longer manages the account.',
    ),
    cursor: {
      ...Seq,
      description: 'The seq of the last event queued for it. Does not change while it is disabled.',
    },
    created_by: Creator,
    created_at: Timestamp('When it was made.'),
    last_success_at: Nullable(Timestamp('When it last accepted a delivery.')),
    failing_since: Nullable(Timestamp('When the failures since the last success began.')),
  },
  { $id: 'WebhookEndpoint', description: 'An address to which the events of the account are sent.' },
);

const Secret = ShownOnce('Signs the deliveries, after Standard Webhooks: `whsec_` and 32 bytes in base64.');
export const webhooks = { tag: 'Webhooks' } as const;
/** An endpoint outlives the key that made it, so only people can change endpoints. */
export const managed = { ...webhooks, auth: 'manager', csrf: true } as const;
export const notFound = { 404: ['webhook_endpoint_not_found'] } as const satisfies Endpoint['errors'];

export const listWebhookEndpoints = endpoint({
  ...webhooks,
  operationId: 'listWebhookEndpoints',
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'List the webhook endpoints of the account',
  auth: 'caller',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ webhook_endpoints: Type.Array(WebhookEndpoint), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createWebhookEndpoint = endpoint({
  ...managed,
  operationId: 'createWebhookEndpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Create a webhook endpoint',
  description: 'It gets all events from now on. An account can have at most ten.',
  idempotent: 422,
  body: Closed({
    url: Url,
    description: Type.Optional(Description),
    types: Type.Optional({ ...EventTypes, examples: [['job.ready_for_customer_review', 'job.rejected']] }),
  }),
  location: '/api/v1/webhook-endpoints/{webhook_endpoint.id}',
  answers: {
    201: {
      description: 'The endpoint, and its secret, shown once.',
      schema: Closed({ webhook_endpoint: WebhookEndpoint, secret: Secret, next_action: NextAction }),
    },
  },
  errors: { 403: ['limit_reached'], 422: ['invalid_request', 'webhook_url_refused'] },
});

export const updateWebhookEndpoint = endpoint({
  ...managed,
  operationId: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Change, disable or enable a webhook endpoint',
  description:
    'Omitted fields stay. Enabling continues at the cursor; with `resume: "now"`, earlier events are skipped. Enabling an endpoint whose creator has left makes you its `created_by`.',
  idempotent: 422,
  params: IdParams('hook'),
  body: Closed(
    {
      url: Type.Optional(Url),
      description: Type.Optional(Nullable(Description)),
      types: Type.Optional(EventTypes),
      enabled: Type.Optional(Type.Boolean({ description: 'Whether events are posted.' })),
      resume: Type.Optional(
        Type.Enum(['where_it_stopped', 'now'], { type: 'string', description: 'Where delivery continues.' }),
      ),
    },
    { examples: [{ enabled: true, resume: 'now' }] },
  ),
  answers: { 200: { description: 'The endpoint.', schema: Closed({ webhook_endpoint: WebhookEndpoint }) } },
  errors: { ...notFound, 422: ['invalid_request', 'webhook_url_refused'] },
});

export const deleteWebhookEndpoint = endpoint({
  ...managed,
  operationId: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Delete a webhook endpoint with its deliveries',
  whileSuspended: true,
  params: IdParams('hook'),
  answers: { 200: { description: 'Deleted.', schema: Closed({ webhook_endpoint: WebhookEndpoint }) } },
  errors: notFound,
});

export const rotateWebhookSecret = endpoint({
  ...managed,
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/rotate-secret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Until `overlap_hours` have passed, deliveries have a signature by each secret; with 0, the older secrets end at once.',
  idempotent: 422,
  params: IdParams('hook'),
  body: Closed({
    overlap_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long the older secrets still sign.' }),
    ),
  }),
  answers: {
    200: {
      description: 'The new secret, shown once.',
      schema: Closed({
        webhook_endpoint: WebhookEndpoint,
        secret: Secret,
        secret_created_at: Timestamp('When this secret was made.'),
        next_action: NextAction,
      }),
    },
  },
  errors: { ...notFound, 422: ['invalid_request'] },
});
