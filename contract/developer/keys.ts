import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import {
  Closed,
  Creator,
  Id,
  IdParams,
  Name,
  NextAction,
  NextCursor,
  Nullable,
  page,
  RequestTime,
  ShownOnce,
  Timestamp,
} from '../shapes.ts';

export const maxActiveKeys = 100;

export const scopes = ['api:read', 'api:write'] as const;
const Scopes = Type.Array(Type.Enum([...scopes], { type: 'string' }), {
  description: 'What the key may do.',
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
});

export const KeyName = Name('build agent');

export const KeyStatus = Type.Enum(['active', 'revoked', 'expired'], {
  type: 'string',
  description: 'Only an active key works.',
});

export const ApiKey = Closed(
  {
    id: Id('key'),
    name: Type.String({ description: 'What people call the key.' }),
    prefix: Type.String({ description: 'The non-secret part of the key.' }),
    scopes: Scopes,
    status: KeyStatus,
    created_by: Nullable(Creator, 'The person who created it or took it over; null once that person is gone.'),
    created_at: Timestamp('When it was created.'),
    last_used_at: Nullable(Timestamp('When it last authenticated a request, to the minute.')),
    expires_at: Nullable(Timestamp('When it stops working; null for never.')),
    revoked_at: Nullable(Timestamp('When it was revoked.')),
  },
  { $id: 'ApiKey', description: 'A key’s metadata; never its hash or plaintext.' },
);

const PlaintextKey = ShownOnce('`<lead>_<prefix>_<secret>`.');

export const listApiKeys = endpoint({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  tag: 'API keys',
  summary: 'List the API keys of the account',
  auth: 'manager',
  query: Closed(page),
  answers: {
    200: { description: 'Newest first.', schema: Closed({ api_keys: Type.Array(ApiKey), next_cursor: NextCursor }) },
  },
  listed: [403],
  errors: { 400: ['invalid_request'] },
});

export const createApiKey = endpoint({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: `Only this answer contains the plaintext key. An account can have ${maxActiveKeys} active keys.`,
  auth: 'manager',
  csrf: true,
  rate: 'create_api_key',
  idempotent: 400,
  body: Closed({
    name: KeyName,
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(RequestTime('In the future; the key stops working then.')),
  }),
  location: '/api/v1/api-keys/{api_key.id}',
  answers: {
    201: {
      description: 'The key, shown once.',
      schema: Closed({ api_key: ApiKey, plaintext_key: PlaintextKey, next_action: NextAction }),
    },
  },
  errors: { 403: ['limit_reached'], 422: ['invalid_request'] },
});

export const deleteApiKey = endpoint({
  operationId: 'deleteApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Stops working at once, in every process. Idempotent.',
  auth: 'manager',
  whileSuspended: true,
  csrf: true,
  params: IdParams('key'),
  answers: { 200: { description: 'The revoked key.', schema: Closed({ api_key: ApiKey }) } },
  errors: { 404: ['api_key_not_found'] },
});

export const rotateApiKey = endpoint({
  operationId: 'rotateApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/{id}/rotate',
  tag: 'API keys',
  summary: 'Replace an API key with a new one',
  description:
    'The new key has the name and scopes of the old one, and its expiry, if any. The old one keeps working for `overlap_hours`. A key can be rotated once.',
  auth: 'manager',
  csrf: true,
  rate: 'create_api_key',
  idempotent: 422,
  params: IdParams('key'),
  body: Closed({
    overlap_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long the old key keeps working.' }),
    ),
  }),
  location: '/api/v1/api-keys/{api_key.id}',
  answers: {
    201: {
      description: 'The new key, shown once, and the old one.',
      schema: Closed({ api_key: ApiKey, plaintext_key: PlaintextKey, replaced: ApiKey, next_action: NextAction }),
    },
  },
  errors: { 403: ['limit_reached'], 404: ['api_key_not_found'], 422: ['invalid_request'] },
});
