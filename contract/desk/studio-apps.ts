import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Count, Creator, Id, IdParams, Name, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** Active ones of the studio. */
export const maxStudioApps = 50;

const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'Where the browser goes after the decision: https addresses, addresses of this computer (`http://127.0.0.1`, `http://[::1]` or `http://localhost`), or the scheme of a program, such as `cursor://…` or `com.example.app:/…`. They match exactly, except for the port on this computer.',
  examples: [['http://127.0.0.1/callback']],
});

const StudioApp = Closed(
  {
    id: Id('app', 'Also its OAuth `client_id`. It is public: the app has no secret.'),
    name: Type.String({ description: 'The name that people are shown when the app asks for access.' }),
    redirect_uris: Type.Array(Type.String(), { description: 'Where the browser goes after the decision.' }),
    status: Type.Enum(['active', 'ended'], { type: 'string', description: 'Only an active app can be connected.' }),
    connections: Count('Grants of the app that work now, in all accounts.'),
    created_by: Creator,
    created_at: Timestamp('When it was registered.'),
    ended_at: Nullable(Timestamp('When it was ended.')),
  },
  { $id: 'StudioApp', description: 'An app that the studio registered, for hosts that cannot register themselves.' },
);

const apps = '/api/operator/v1/apps';
const common = { tag: 'Desk', auth: 'operator', right: 'manage_studio' } as const;
const schema = Closed({ app: StudioApp });

export const listStudioApps = endpoint({
  ...common,
  operationId: 'listStudioApps',
  method: 'GET',
  path: apps,
  summary: 'List the apps that the studio registered',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first; ended ones for 30 days.',
      schema: Closed({ apps: Type.Array(StudioApp), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createStudioApp = endpoint({
  ...common,
  operationId: 'createStudioApp',
  method: 'POST',
  path: apps,
  summary: 'Register an app',
  description: `A public OAuth client with PKCE, for a host that has no metadata document and cannot register itself. People see its name with “Set up by this studio”. The studio can have ${maxStudioApps} active apps.`,
  csrf: true,
  idempotent: 422,
  body: Closed({ name: Name('Cursor'), redirect_uris: RedirectUris }),
  location: apps,
  answers: { 201: { description: 'The registered app.', schema } },
  errors: { 403: ['limit_reached'], 422: ['invalid_request'] },
});

export const endStudioApp = endpoint({
  ...common,
  operationId: 'endStudioApp',
  method: 'DELETE',
  path: `${apps}/{id}`,
  summary: 'End an app that the studio registered',
  description:
    'Ends its grants in all accounts at once, in every process; streams end within five seconds. Each account gets `api_key.revoked`. Idempotent.',
  csrf: true,
  params: IdParams('app'),
  answers: { 200: { description: 'The ended app.', schema } },
  errors: { 404: ['app_not_found'] },
});
