import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { KeyName, KeyStatus } from '../developer/keys.ts';
import {
  Closed,
  Creator,
  Id,
  IdParams,
  NextAction,
  NextCursor,
  Nullable,
  page,
  RequestTime,
  ShownOnce,
  Timestamp,
} from '../shapes.ts';

const WorkerKey = Closed(
  {
    id: Id('wkey'),
    name: Type.String({ description: 'What people call the worker.' }),
    prefix: Type.String({ description: 'The non-secret part of the key.' }),
    service_families: Nullable(Type.Array(Type.String()), 'The only families whose jobs it may claim; null for all.'),
    status: KeyStatus,
    created_by: Creator,
    created_at: Timestamp('When it was created.'),
    last_used_at: Nullable(Timestamp('When it last authenticated a request, to the minute.')),
    expires_at: Nullable(Timestamp('When it stops working; null for never.')),
    revoked_at: Nullable(Timestamp('When it was revoked.')),
  },
  { $id: 'WorkerKey', description: 'Metadata of a worker key; never its hash or plaintext.' },
);

export const listWorkerKeys = endpoint({
  operationId: 'listWorkerKeys',
  method: 'GET',
  path: '/api/operator/v1/worker-keys',
  tag: 'Desk',
  summary: 'List the worker keys',
  auth: 'operator',
  right: 'read_records',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ worker_keys: Type.Array(WorkerKey), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createWorkerKey = endpoint({
  operationId: 'createWorkerKey',
  method: 'POST',
  path: '/api/operator/v1/worker-keys',
  tag: 'Desk',
  summary: 'Create a worker key',
  description:
    'Only this answer contains the plaintext key. The key works as long as the person in `created_by` is an operator.',
  auth: 'operator',
  right: 'manage_records',
  csrf: true,
  idempotent: 422,
  body: Closed(
    {
      name: KeyName,
      service_families: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Family ids of the catalog, the only ones whose jobs it may claim. Default: all.',
        }),
      ),
      expires_at: Type.Optional(RequestTime('In the future; the key stops working then.')),
    },
    { examples: [{ name: 'renderer', service_families: ['data'] }] },
  ),
  location: '/api/operator/v1/worker-keys/{worker_key.id}',
  answers: {
    201: {
      description: 'The key, shown once.',
      schema: Closed({
        worker_key: WorkerKey,
        plaintext_key: ShownOnce('`atw_<prefix>_<secret>`.'),
        next_action: NextAction,
      }),
    },
  },
  errors: { 403: ['limit_reached'], 422: ['invalid_request', 'unsupported_service'] },
});

export const deleteWorkerKey = endpoint({
  operationId: 'deleteWorkerKey',
  method: 'DELETE',
  path: '/api/operator/v1/worker-keys/{id}',
  tag: 'Desk',
  summary: 'Revoke a worker key',
  description:
    'Stops working at once, in every process. Its job goes back to the queue when the lease expires. Idempotent.',
  auth: 'operator',
  right: 'manage_records',
  csrf: true,
  params: IdParams('wkey'),
  answers: { 200: { description: 'The revoked key.', schema: Closed({ worker_key: WorkerKey }) } },
  errors: { 404: ['worker_key_not_found'] },
});
