import type { TSchema } from 'typebox';
import * as accounts from './accounts.ts';
import * as invitations from './invitations.ts';
import * as members from './members.ts';
import * as audit from './audit.ts';
import * as billing from './billing.ts';
import * as catalog from './catalog.ts';
import * as deliverables from './deliverables.ts';
import * as deskAccounts from './desk-accounts.ts';
import * as desk from './desk.ts';
import { actsForAccount, endpoint, type Endpoint, scopeOf } from './endpoint.ts';
import * as entitlements from './entitlements.ts';
import { exampleOf } from './examples.ts';
import * as figures from './figures.ts';
import * as events from './events.ts';
import * as files from './files.ts';
import * as installation from './installation.ts';
import * as intake from './intake.ts';
import * as jobs from './jobs.ts';
import * as keys from './keys.ts';
import * as people from './people.ts';
import * as probes from './probes.ts';
import * as queue from './queue.ts';
import { referTo } from './references.ts';
import { responsesOf } from './responses.ts';
import { sessionCookieName } from './session-cookie.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as usage from './usage.ts';
import * as webhooks from './webhooks.ts';
import { webhookRequest } from './webhook-request.ts';
import * as workers from './workers.ts';

export const readOpenapi = endpoint({
  operationId: 'readOpenapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'Reference',
  summary: 'Read this document',
  auth: 'public',
  answers: { 200: { description: 'The OpenAPI 3.1.0 document of the implemented routes.', schema: {} } },
  errors: {},
});

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value;

/** Every operation of the service, in the order of the context. */
export const endpoints: Endpoint[] = [
  { readOpenapi },
  people,
  sessions,
  secondFactor,
  accounts,
  members,
  invitations,
  keys,
  catalog,
  entitlements,
  usage,
  jobs,
  events,
  webhooks,
  files,
  intake,
  billing,
  queue,
  desk,
  deskAccounts,
  figures,
  audit,
  deliverables,
  workers,
  installation,
  probes,
]
  .flatMap((domain): unknown[] =>
    // By name: module namespaces keep that order in Node, but not where a test runner loads them.
    Object.entries(domain)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]): unknown => value),
  )
  .filter(isEndpoint);

const tags = {
  Catalog: 'What can be ordered. Public.',
  Plans: 'What is sold, checkout, and the events of the payment provider.',
  Account: 'Who is calling, what they were granted, and what they used.',
  Jobs: 'Work requests: create, follow, review.',
  Files: 'Uploads and downloads, which go straight to the storage.',
  Events: 'What happened in the account: read from a cursor, waited for, or streamed.',
  Webhooks: 'The same events, posted to endpoints of yours, signed after Standard Webhooks.',
  Intake: 'A conversation that leads to a brief, and a brief that becomes a job.',
  'API keys': 'Keys for agents, made by owners and admins.',
  People: 'Sign-up, sign-in, members and invitations.',
  Desk: 'The studio side: operators and workers move jobs.',
  'Running it': 'Probes for load balancers and monitoring.',
  Reference: 'This document.',
};

function parametersOf(endpoint: Endpoint, refer: (schema: TSchema) => unknown) {
  const fields = (place: 'path' | 'query', schema: Endpoint['params']) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = property as TSchema & { description?: string };
      const required = place === 'path' || (schema as { required?: string[] }).required?.includes(name) === true;
      return { name, in: place, required, ...(description ? { description } : {}), schema: refer(rest) };
    });
  const headers: NonNullable<Endpoint['headers']> = {
    'X-Request-Id': {
      description:
        'Echoed on the answer and in errors when it matches `^[A-Za-z0-9._-]{1,128}$`; otherwise one is made.',
    },
    ...(endpoint.idempotent
      ? {
          'Idempotency-Key': {
            description: 'Once, 1 to 255 visible ASCII characters; kept 30 days.',
            schema: { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
          },
        }
      : {}),
    ...(endpoint.csrf
      ? { 'x-service-csrf-token': { description: 'For cookie sessions: `csrf_token` of GET /api/v1/me.' } }
      : {}),
    ...(actsForAccount(endpoint)
      ? {
          'x-service-account': {
            description:
              'For sessions: the account that is meant. 409 `account_changed` if the session acts for another.',
          },
        }
      : {}),
    ...endpoint.headers,
  };
  return [
    ...fields('path', endpoint.params),
    ...fields('query', endpoint.query),
    ...Object.entries(headers).map(([name, { description, required = false, schema = {} }]) => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string', ...schema },
    })),
  ];
}

const securityOf = (endpoint: Endpoint): Record<string, string[]>[] => {
  if (endpoint.auth === 'public') return [];
  const session: Record<string, string[]>[] = [{ session: [] }, { cookie: [] }];
  if (endpoint.auth === 'visitor') return [{}, ...session];
  if (endpoint.auth === 'caller') return [{ apiKey: [] }, ...session];
  return endpoint.auth === 'desk' ? [{ workerKey: [] }, ...session] : session;
};

/** Notes that the shape alone does not tell: who may call, and with what. */
function describe(endpoint: Endpoint): string {
  const who = {
    public: 'Public: no credentials.',
    visitor: 'Public; a session is used where one is sent.',
    person: 'For a signed-in user.',
    caller: `For an API key with \`${scopeOf(endpoint)}\`, or a session.`,
    manager: 'For the session of an owner or admin.',
    operator: 'For an operator of the studio.',
    desk: 'For a worker with its key, or an operator of the studio.',
  }[endpoint.auth];
  return [endpoint.description, who].filter(Boolean).join('\n\n');
}

/** The document of the implemented routes, made from the contract; `guide` is Markdown to read first. */
export function openapi(serverUrl: string, guide = ''): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  const { refer, referInput } = referTo(components);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = {
      operationId: endpoint.operationId,
      summary: endpoint.summary,
      description: describe(endpoint),
      tags: [endpoint.tag],
      security: securityOf(endpoint),
      parameters: parametersOf(endpoint, referInput),
      ...(endpoint.body
        ? {
            requestBody: {
              required: ((endpoint.body as { required?: string[] }).required ?? []).length > 0,
              content: { 'application/json': { schema: referInput(endpoint.body), example: exampleOf(endpoint.body) } },
            },
          }
        : {}),
      responses: responsesOf(endpoint, refer),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atelier',
      version: '1.0.0',
      description:
        `A job fulfillment service: read the catalog, check a draft, create a job, follow it, review it.\n\n${guide}`.trim(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookRequest(refer),
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `<lead>_<prefix>_<secret>`.' },
        workerKey: { type: 'http', scheme: 'bearer', description: 'A worker key: `atw_<prefix>_<secret>`.' },
        session: { type: 'http', scheme: 'bearer', description: 'The session token that sign-in answers.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(serverUrl),
          description: 'The session cookie of a browser. By https its name begins with `__Host-`, by http it does not.',
        },
      },
    },
  };
}
