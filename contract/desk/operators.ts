import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { operatorRoles } from './operator-roles.ts';
import { Closed, Count, Id, IdParams, NextCursor, Nullable, page } from '../shapes.ts';

export const OperatorRole = Type.Enum([...operatorRoles], {
  $id: 'OperatorRole',
  type: 'string',
  description:
    'What an operator may do at the desk. `maker`: take, do and submit jobs. `reviewer`: also pass, return and reject work. `lead`: also hand over, take the jobs of others, move due dates, and read workers, payments and the audit log. `owner`: everything.',
});

/** As many jobs as a worker key may lease. */
export const defaultHeldLimit = 10;

export const HeldLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'A claim is refused while they hold this many jobs, however they got them.',
  examples: [defaultHeldLimit],
});

const Operator = Closed(
  {
    id: Id('user'),
    name: Type.String({ description: 'The name of the operator.' }),
    email: Type.String({ description: 'The address that the operator signs in with.' }),
    role: OperatorRole,
    held_jobs: Count('Number of jobs that they hold.'),
    held_limit: HeldLimit,
    service_families: Nullable(Type.Array(Type.String()), 'Claims give only jobs of these families; null for all.'),
    second_factor: Type.Optional(
      Type.Boolean({ description: 'Whether their sign-in asks for a code, too. Only owners of the studio read it.' }),
    ),
  },
  { $id: 'Operator', description: 'An operator of the studio.' },
);

export const ServiceFamilies = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  'Family ids of the catalog; null for all.',
);

export const listOperators = endpoint({
  operationId: 'listOperators',
  method: 'GET',
  path: '/api/operator/v1/operators',
  tag: 'Desk',
  summary: 'List the operators',
  description: 'The operators to whom a job can be handed over.',
  auth: 'operator',
  right: 'work',
  query: Closed(page),
  answers: {
    200: {
      description: 'Oldest first.',
      schema: Closed({
        operators: Type.Array(Operator),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const updateOperator = endpoint({
  operationId: 'updateOperator',
  method: 'PATCH',
  path: '/api/operator/v1/operators/{id}',
  tag: 'Desk',
  summary: 'Change the role of an operator and what they take next',
  description:
    'Omitted fields stay. A new role holds from the next request on; if it may not make worker keys, those that the operator made are revoked. The last owner keeps the role. Families and limit concern claims only: an operator can accept any job.',
  auth: 'operator',
  right: 'manage_studio',
  csrf: true,
  idempotent: 422,
  params: IdParams('user'),
  body: Closed(
    {
      role: Type.Optional(OperatorRole),
      service_families: Type.Optional(ServiceFamilies),
      held_limit: Type.Optional(HeldLimit),
    },
    { examples: [{ role: 'reviewer', service_families: ['design'], held_limit: 5 }] },
  ),
  answers: { 200: { description: 'The operator.', schema: Closed({ operator: Operator }) } },
  errors: {
    404: ['operator_not_found'],
    409: ['last_owner'],
    422: ['invalid_request', 'unsupported_service'],
  },
});

export const removeOperator = endpoint({
  operationId: 'removeOperator',
  method: 'DELETE',
  path: '/api/operator/v1/operators/{id}',
  tag: 'Desk',
  summary: 'Remove an operator',
  description:
    'Their sessions end, the worker keys and invitations that they made end with them, and the jobs that they or these keys hold return to the queue. The person stays, as a customer. The last owner cannot be removed.',
  auth: 'operator',
  right: 'manage_studio',
  csrf: true,
  params: IdParams('user'),
  answers: {
    200: {
      description: 'Removed.',
      schema: Closed({
        operator: Operator,
        worker_keys: Count('Number of worker keys that were revoked.'),
        jobs: Count('Number of jobs that returned to the queue.'),
        operator_invitations: Count('Number of open invitations that ended.'),
      }),
    },
  },
  errors: { 404: ['operator_not_found'], 409: ['last_owner'] },
});
