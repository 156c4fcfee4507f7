import Type, { type Static } from 'typebox';
import { AccessKind, PlanCode } from '../ordering/catalog.ts';
import { endpoint } from '../endpoint.ts';
import { roles } from './roles.ts';
import { scopes } from '../developer/keys.ts';
import { Closed, Count, Id, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

export const Role = Type.Enum([...roles], {
  $id: 'Role',
  type: 'string',
  description:
    'What a member may do: owners and admins manage keys, members and plans; members order; reviewers see jobs, files and members, comment, decide about deliveries and write, and order nothing. More may come.',
});

export const Orders = Type.Enum(['direct', 'confirmed'], {
  $id: 'Orders',
  type: 'string',
  description:
    '`confirmed`: what they order waits until an owner or admin confirms it. Only of plain members: with another role it is `direct`.',
});
export type Orders = Static<typeof Orders>;

const entitlementStatuses = ['active', 'past_due', 'paused', 'stopped', 'canceled', 'expired'] as const;
export type EntitlementStatus = (typeof entitlementStatuses)[number];

/** An open list: callers must expect statuses that they do not know. */
const Status = Type.Enum([...entitlementStatuses], {
  $id: 'EntitlementStatus',
  type: 'string',
  description:
    '`past_due`: overdue; access until `period.end`. `paused`, `stopped`: no access until it is resumed or paid at the payment provider. `canceled`: it has ended. `expired`: no renewal arrived. More may come.',
});

export const Entitlement = Closed(
  {
    id: Id('ent'),
    plan_code: PlanCode,
    name: Type.String({ description: 'The name of the plan.' }),
    access_kind: AccessKind,
    status: Status,
    status_detail: Nullable(Type.Enum(['trial', 'not_paid'], { type: 'string' }), 'Null for neither.'),
    ends_at: Nullable(Timestamp('When it ends or ended.'), 'Null while no end is set.'),
    paid_until: Nullable(Timestamp('The end of the last paid period or trial.'), 'Null before a first confirmation.'),
    collection_paused: Type.Boolean({ description: 'Whether the studio has paused its payments.' }),
    unit: Type.String({ description: 'What the quota counts, such as `job`.' }),
    quota: Count('Jobs granted for the period.'),
    used: Count('Jobs used in the period.'),
    remaining: Count('Never below zero.'),
    concurrency_limit: Count('Active jobs at once.'),
    period: Closed(
      { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') },
      { description: 'The current period.' },
    ),
    granted_at: Timestamp('When it was first granted.'),
    updated_at: Timestamp('When an event of the provider last changed it.'),
  },
  { $id: 'Entitlement', description: 'A grant by a signed event of the payment provider.' },
);

export const suspended_since = Nullable(
  Timestamp('When the studio suspended the account.'),
  'Null while the account is open. A suspended one can read, export and approve; other changes are answered `account_suspended`.',
);

const AuthMethod = Type.Enum(['session', 'api_key', 'app'], {
  $id: 'AuthMethod',
  type: 'string',
  description: 'The kind of credential. More may come.',
});

export const Me = Closed(
  {
    account: Closed(
      {
        id: Id('acct'),
        name: Type.String({ description: 'The name of the account.' }),
        suspended_since,
      },
      { description: 'The account that the caller acts for.' },
    ),
    user: Type.Optional(
      Closed(
        {
          id: Id('user'),
          name: Type.String({ description: 'The name of the person.' }),
          email: Type.String({ description: 'The address that the person signs in with.' }),
        },
        { description: 'The person of the session; absent otherwise.' },
      ),
    ),
    auth: Closed(
      {
        method: AuthMethod,
        api_key: Type.Optional(
          Closed(
            { id: Id('key'), prefix: Type.String({ description: 'The part of the key that is not secret.' }) },
            { description: 'The key of the request; only for `api_key`.' },
          ),
        ),
        app: Type.Optional(
          Closed(
            { id: Id('key'), name: Type.String({ description: 'What the app calls itself.' }) },
            { description: 'The connected app of the request, and the id of its grant; only for `app`.' },
          ),
        ),
      },
      { description: 'The credential of the request.' },
    ),
    role: Nullable(Role, 'Null for API keys.'),
    orders: Orders,
    viewed_until: Nullable(
      Timestamp('When the view ends at the latest.'),
      'Only while an operator of the studio views the account as its owner: then `user` is the operator.',
    ),
    scopes: Type.Array(Type.Enum([...scopes], { type: 'string' }), { description: 'What the credential may do.' }),
    entitlement_summary: Closed(
      {
        active: Type.Boolean({ description: 'Whether any plan is active.' }),
        dashboard_access: Type.Boolean({ description: 'Whether a plan serves sessions.' }),
        api_access: Type.Boolean({ description: 'Whether a plan serves API keys.' }),
        plan_codes: Type.Array(Type.String(), { description: 'Codes of the active plans.' }),
        paused: Type.Array(Type.String(), { description: 'Codes of paused plans.' }),
        past_due: Type.Array(Type.String(), { description: 'Codes of overdue plans.' }),
        plans: Type.Array(
          Type.Pick(
            Entitlement,
            ['plan_code', 'status', 'status_detail', 'ends_at', 'paid_until', 'collection_paused'],
            {
              additionalProperties: false,
            },
          ),
          { description: 'Those that give access or have stopped.' },
        ),
      },
      { description: 'The plans of the account in short. Empty for reviewers, who see none.' },
    ),
    csrf_token: Type.Optional(
      Type.String({ description: 'Only for cookie sessions: send it as `x-service-csrf-token`.' }),
    ),
  },
  { $id: 'Me', description: 'Who is calling, and what the account may do.' },
);

export const readMe = endpoint({
  operationId: 'readMe',
  method: 'GET',
  path: '/api/v1/me',
  tag: 'Account',
  summary: 'Read who is calling',
  tool: { name: 'get_account', hint: 'read' },
  description: 'The account, the authority of the credential, and the active plans.',
  auth: 'caller',
  reviewers: true,
  whileViewing: true,
  answers: { 200: { description: 'Account, method, role, scopes and entitlements.', schema: Me } },
  listed: [401],
  errors: {},
});

export const listEntitlements = endpoint({
  operationId: 'listEntitlements',
  method: 'GET',
  path: '/api/v1/entitlements',
  tag: 'Account',
  summary: 'List the entitlements of the account',
  auth: 'caller',
  query: Closed(page),
  whileViewing: true,
  answers: {
    200: {
      description: 'Newest grant first.',
      schema: Closed({ entitlements: Type.Array(Entitlement), next_cursor: NextCursor }),
    },
  },
  listed: [401, 403],
  errors: { 400: ['invalid_request'] },
});
