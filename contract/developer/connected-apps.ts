import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { scopes } from './keys.ts';
import { Closed, Count, Creator, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** Active grants of one person. */
export const maxAppsOfPerson = 20;

const Scopes = (description: string) =>
  Type.Array(Type.Enum([...scopes], { type: 'string' }), { description, minItems: 1, maxItems: 2, uniqueItems: true });

const App = Closed(
  {
    name: Type.String({ description: 'The name that the app claims.' }),
    host: Nullable(
      Type.String(),
      'The host of its address, from which its description was read; null if it has no address.',
    ),
    checked: Type.Boolean({
      description: 'Whether its address was checked, or the studio set it up. Otherwise its name may be anything.',
    }),
    set_up_by_studio: Type.Boolean({ description: 'Whether the studio registered it and chose its name.' }),
  },
  { $id: 'App', description: 'A program that asks a person for access.' },
);

export const ConnectedApp = Closed(
  {
    id: Id('key', 'Of the grant. Events and `created_by` name it, like that of an API key.'),
    app: App,
    account: Closed(
      { id: Id('acct'), name: Type.String({ description: 'The name of the account.' }) },
      { description: 'The account that it acts for.' },
    ),
    scopes: Scopes('What the app may do.'),
    status: Type.Enum(['active', 'revoked', 'expired'], {
      type: 'string',
      description: 'Only an active grant works.',
    }),
    created_by: Nullable(Creator, 'Who connected it; null once that person is gone.'),
    created_at: Timestamp('When it was connected.'),
    expires_at: Timestamp('When its access expires.'),
    last_used_at: Nullable(Timestamp('When it last made a request, to the minute.')),
    revoked_at: Nullable(Timestamp('When it was ended.')),
    jobs: Count('Jobs that it ordered.'),
  },
  { $id: 'ConnectedApp', description: 'An app that a person connected to an account by OAuth.' },
);

const AppList = Closed({ connected_apps: Type.Array(ConnectedApp), next_cursor: NextCursor });
const listed = 'Newest first; ended ones for 30 days.';

const ofPerson = { tag: 'Connected apps', auth: 'person' } as const;
const ofAccount = { tag: 'Connected apps', auth: 'manager' } as const;

/** The signed request of an app, as the page at `/connect` has it in its address. */
const RequestToken = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'The value of `request` in the address of the page.',
  examples: ['cmVzcG9uc2VfdHlwZT1jb2Rl.mZ3Q'],
});

const requestFields = {
  request: Type.String({ description: 'Send it back with the decision.' }),
  app: App,
  redirect_host: Nullable(
    Type.String(),
    'Where the browser goes after the decision: a host, or the scheme of a program with what follows it, like `cursor://anysphere.cursor-mcp`. Null for a program that waits elsewhere.',
  ),
  scopes: Scopes('What the app asks for.'),
  accounts: Type.Array(
    Closed({
      id: Id('acct'),
      name: Type.String({ description: 'The name of the account.' }),
      may_order: Type.Boolean({ description: 'Whether the person may grant ordering: owners and admins may.' }),
      suspended: Type.Boolean({ description: 'A suspended account takes no new app.' }),
    }),
    { description: 'The accounts of the person: first those that have the app, then the one opened last.' },
  ),
  expires_at: Timestamp('Until when the request can be decided.'),
};
const AppRequest = Closed(requestFields, {
  $id: 'AppRequest',
  description: 'What an app asks a person for, and the accounts that it could act for.',
});

export const readConnection = endpoint({
  ...ofPerson,
  operationId: 'readConnection',
  method: 'GET',
  path: '/api/auth/connection',
  summary: 'Read what an app asks for',
  description: 'For the page at `/connect`, to which an app sends the browser of a person.',
  query: Closed({ request: RequestToken }),
  answers: { 200: { description: 'What it asks for.', schema: AppRequest } },
  errors: { 400: ['invalid_request'] },
});

export const readDevice = endpoint({
  ...ofPerson,
  operationId: 'readDevice',
  method: 'GET',
  path: '/api/auth/device',
  summary: 'Read what a program with a code asks for',
  description: 'For the page at `/device`. A program without a browser shows the code for ten minutes.',
  rate: 'enter_device_code',
  query: Closed({
    code: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Eight letters, as the program shows them. Spaces, dashes and case are ignored.',
    }),
  }),
  answers: { 200: { description: 'What it asks for.', schema: AppRequest } },
  errors: { 400: ['invalid_request'] },
});

export const decideConnection = endpoint({
  ...ofPerson,
  operationId: 'decideConnection',
  method: 'POST',
  path: '/api/auth/connection/decide',
  summary: 'Allow or deny an app',
  description: `Allowing ends your earlier grants of the same app in the account that do less or were never used. A person can have ${maxAppsOfPerson} active grants. A member can grant \`api:read\`, an owner or admin also \`api:write\`. The person is told by mail, and the account by \`api_key.created\`.`,
  csrf: true,
  rate: 'connect_app',
  idempotent: 'refused',
  body: Closed({
    request: RequestToken,
    allow: Type.Boolean({ description: 'Whether to allow it.', examples: [true] }),
    account_id: Type.Optional(Id('acct', 'The account. Required to allow.')),
    scopes: Type.Optional(Scopes('What it may do: at most what it asks for. Default: `api:read`.')),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'For how long.' })),
  }),
  answers: {
    200: {
      description: 'Decided.',
      schema: Closed({
        redirect_to: Nullable(Type.String(), 'An address of the app; null where a program waits elsewhere.'),
      }),
    },
  },
  errors: {
    403: ['limit_reached', 'role_required', 'account_suspended'],
    404: ['account_not_found'],
    422: ['invalid_request'],
  },
});

export const listConnectedApps = endpoint({
  ...ofAccount,
  operationId: 'listConnectedApps',
  method: 'GET',
  path: '/api/v1/connected-apps',
  summary: 'List the connected apps of the account',
  description: 'An owner sees those of everybody in the account, an admin their own.',
  query: Closed(page),
  answers: { 200: { description: listed, schema: AppList } },
  errors: { 400: ['invalid_request'] },
});

export const endConnectedApp = endpoint({
  ...ofAccount,
  operationId: 'endConnectedApp',
  method: 'DELETE',
  path: '/api/v1/connected-apps/{id}',
  summary: 'End the access of a connected app',
  description: 'At once, in every process; streams end within five seconds. Idempotent.',
  whileSuspended: true,
  csrf: true,
  params: IdParams('key'),
  answers: { 200: { description: 'The ended grant.', schema: Closed({ connected_app: ConnectedApp }) } },
  errors: { 404: ['connected_app_not_found'] },
});

export const listMyConnectedApps = endpoint({
  ...ofPerson,
  operationId: 'listMyConnectedApps',
  method: 'GET',
  path: '/api/auth/connected-apps',
  summary: 'List the apps that you connected',
  description: 'In all of your accounts.',
  query: Closed(page),
  answers: { 200: { description: listed, schema: AppList } },
  errors: { 400: ['invalid_request'] },
});

export const endMyConnectedApp = endpoint({
  ...ofPerson,
  operationId: 'endMyConnectedApp',
  method: 'DELETE',
  path: '/api/auth/connected-apps/{id}',
  summary: 'End the access of an app that you connected',
  description: 'At once, in every process; streams end within five seconds. Idempotent.',
  unverified: true,
  csrf: true,
  params: IdParams('key'),
  answers: { 200: { description: 'The ended grant.', schema: Closed({ connected_app: ConnectedApp }) } },
  errors: { 404: ['connected_app_not_found'] },
});
