import Type from 'typebox';
import { auditActions, type AuditAction } from './audit-actions.ts';
import { endpoint } from '../endpoint.ts';
import { accountEventTypes } from '../jobs/events.ts';
import { Closed, Creator, Id, NextCursor, Nullable, page, RequestTime, Timestamp } from '../shapes.ts';

const Action = Type.Enum([...new Set([...accountEventTypes, ...(Object.keys(auditActions) as AuditAction[])])], {
  $id: 'AuditAction',
  type: 'string',
  description: 'An event type of the account, or an action that the account’s log does not contain.',
});
const Actor = Type.Enum(['customer', 'operator', 'worker', 'service', 'provider'], {
  type: 'string',
  description: 'The kind of the one who did it.',
});

const entry = {
  id: Type.String({ description: 'The id of the event or entry.', examples: ['aud_01jd3vsh8xe7rtx1zqbdnzc4v0'] }),
  action: Action,
  actor: Actor,
  created_by: Nullable(Creator, 'Who did it, with which credential; null for the service and the payment provider.'),
  account_id: Nullable(Id('acct'), 'The account concerned; null for the studio’s own matters.'),
  account_name: Nullable(Type.String(), 'The name of that account; null in the account’s own log.'),
  subject: Nullable(Type.String(), 'The changed object.'),
  subject_name: Nullable(Type.String(), 'Title of a job, name of an account.'),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'Details of the change; never customer text.' }),
  request_id: Type.String({ description: 'The request that caused it.' }),
  address: Nullable(Type.String(), 'A keyed hash of the network address: equal addresses have equal hashes.'),
  created_at: Timestamp('When it happened.'),
};
export const AuditEntry = Closed(entry, { $id: 'AuditEntry', description: 'One change, and who made it.' });

const filters = {
  action: Type.Optional(Type.Array(Action, { description: 'Repeat the parameter or separate with commas.' })),
  subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The id of the changed object, such as a job.' }),
  ),
  request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'The changes of one request.' })),
  created_after: Type.Optional(RequestTime('Created at this time or later.')),
  created_before: Type.Optional(RequestTime('Created before this time.')),
  ...page,
};

const entries = Closed({ audit_entries: Type.Array(AuditEntry), next_cursor: NextCursor });

export const listAudit = endpoint({
  operationId: 'listAudit',
  method: 'GET',
  path: '/api/operator/v1/audit',
  tag: 'Desk',
  summary: 'Read who did what, and from where',
  description:
    'Every change by customers, operators, workers, the payment provider and the service, except heartbeats. Also downloads at the desk, exports of personal data, and refused passwords and codes, each at most once in 15 minutes for the same subject, credential and address. A suspension is one entry, `suspension.started`, with its reason; the account’s event is listed only if `action` names it. With `Accept: application/x-ndjson`, all matching entries, one JSON object per line, regardless of `limit`.',
  auth: 'operator',
  right: 'read_records',
  query: Closed({
    account_id: Type.Optional(Id('acct')),
    actor: Type.Optional(Actor),
    created_by: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The id of a user, an API key or a worker key.' }),
    ),
    provider_noise: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'False leaves out ignored events of the payment provider of types that the service does not use.',
      }),
    ),
    ...filters,
  }),
  answers: { 200: { description: 'Newest first.', schema: entries, lines: AuditEntry } },
  errors: { 400: ['invalid_request'] },
});

export const listAccountAudit = endpoint({
  operationId: 'listAccountAudit',
  method: 'GET',
  path: '/api/v1/audit',
  tag: 'Account',
  summary: 'Read who changed what in the account',
  description: 'Staff and programs of the studio appear as the studio, without name, credential or address.',
  auth: 'manager',
  query: Closed(filters),
  answers: { 200: { description: 'Newest first.', schema: entries } },
  errors: { 400: ['invalid_request'] },
});
