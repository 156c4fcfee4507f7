import Type from 'typebox';
import * as accountNotes from './desk/account-notes.ts';
import * as accountViews from './desk/account-views.ts';
import * as accountOrders from './desk/account-orders.ts';
import * as accounts from './people/accounts.ts';
import * as alerts from './desk/alerts.ts';
import * as archives from './files/archives.ts';
import * as calendar from './people/calendar.ts';
import * as invitations from './people/invitations.ts';
import * as members from './people/members.ts';
import * as audit from './desk/audit.ts';
import * as billing from './plans/billing.ts';
import * as brand from './ordering/brand.ts';
import * as templates from './ordering/templates.ts';
import * as catalogVersions from './desk/catalog-versions.ts';
import * as catalog from './ordering/catalog.ts';
import * as connectedApps from './developer/connected-apps.ts';
import * as comments from './review/comments.ts';
import * as deliverables from './desk/deliverables.ts';
import * as deskAccounts from './desk/accounts.ts';
import * as checklist from './desk/checklist.ts';
import * as deskComments from './desk/comments.ts';
import * as deskTalk from './desk/talk.ts';
import * as desk from './desk/desk.ts';
import * as drafts from './desk/drafts.ts';
import * as dueDates from './desk/due-dates.ts';
import { type Audience, audiences, isFor } from './document/audiences.ts';
import { endpoint, type Endpoint } from './endpoint.ts';
import * as entitlements from './plans/entitlements.ts';
import * as exports from './desk/exports.ts';
import * as figures from './desk/figures.ts';
import * as events from './jobs/events.ts';
import * as files from './files/files.ts';
import * as health from './desk/health.ts';
import * as installation from './studio/installation.ts';
import * as guestComments from './review/guest-comments.ts';
import * as looking from './review/looking.ts';
import * as intakeFields from './ordering/intake-fields.ts';
import * as orders from './ordering/orders.ts';
import * as intake from './ordering/intake.ts';
import * as jobMoves from './jobs/job-moves.ts';
import * as jobs from './jobs/jobs.ts';
import * as keeping from './files/keeping.ts';
import * as keys from './developer/keys.ts';
import * as library from './files/library.ts';
import * as macros from './desk/macros.ts';
import * as savedViews from './desk/saved-views.ts';
import * as money from './desk/money.ts';
import { createComponents, operationOf } from './document/operation.ts';
import * as notifications from './people/notifications.ts';
import * as operatorInvitations from './desk/operator-invitations.ts';
import * as operators from './desk/operators.ts';
import * as people from './people/people.ts';
import * as personalData from './people/personal-data.ts';
import * as preflight from './jobs/preflight.ts';
import * as probes from './studio/probes.ts';
import * as providerEvents from './desk/provider-events.ts';
import * as queue from './desk/queue.ts';
import * as reports from './desk/reports.ts';
import { type AnswerExamples, commonRefusals, headers } from './document/responses.ts';
import { Closed } from './shapes.ts';
import { sessionCookieName } from './people/session-cookie.ts';
import * as reviewLinks from './review/review-links.ts';
import * as showLinks from './review/show-links.ts';
import * as secondFactor from './people/second-factor.ts';
import * as sessions from './people/sessions.ts';
import * as quotaAdjustments from './desk/quota-adjustments.ts';
import * as studioApps from './desk/studio-apps.ts';
import * as importedPeople from './desk/imported-people.ts';
import * as setAside from './desk/set-aside.ts';
import * as studioOrders from './people/studio-orders.ts';
import * as times from './desk/times.ts';
import * as suspensions from './desk/suspensions.ts';
import * as talk from './jobs/talk.ts';
import * as uploadPages from './files/upload-pages.ts';
import * as uploads from './files/uploads.ts';
import * as usage from './plans/usage.ts';
import * as webhookDeliveries from './developer/webhook-deliveries.ts';
import * as webhooks from './developer/webhooks.ts';
import { webhookRequest } from './developer/webhook-request.ts';
import * as workers from './desk/workers.ts';

export const readOpenapi = endpoint({
  operationId: 'readOpenapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'Reference',
  summary: 'Read this document',
  description:
    '`operation` asks for one operation with everything that it refers to, `audience` for what a customer, a worker or an operator calls, without examples of answers. `operation` wins.',
  auth: 'public',
  rate: 'read_public',
  headers: { 'If-None-Match': { description: 'The `ETag` of the document that you have.' } },
  query: Closed({
    operation: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'An operation id, such as `createJob`.' }),
    ),
    audience: Type.Optional(
      Type.Enum([...audiences], { type: 'string', description: 'Whose operations. Default: all.' }),
    ),
  }),
  answers: {
    200: {
      description: 'The OpenAPI 3.1.0 document of the implemented routes.',
      schema: {},
      headers: { ETag: 'Changes when the document does.' },
    },
    304: { description: 'Not changed since the given `If-None-Match`.' },
  },
  errors: { 404: ['operation_not_found'] },
});

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value;

export const endpoints: Endpoint[] = [
  { readOpenapi },
  people,
  { ...sessions, ...personalData },
  secondFactor,
  { ...accounts, ...studioOrders },
  members,
  invitations,
  keys,
  connectedApps,
  calendar,
  notifications,
  catalog,
  entitlements,
  usage,
  { ...jobs, ...jobMoves, ...preflight },
  comments,
  { ...talk, ...deskTalk },
  events,
  { ...webhooks, ...webhookDeliveries },
  { ...files, ...archives, ...uploads, ...uploadPages },
  brand,
  { ...library, ...keeping, ...showLinks },
  reviewLinks,
  guestComments,
  looking,
  templates,
  { ...intake, ...intakeFields },
  orders,
  { ...billing, ...providerEvents, ...money },
  { ...queue, ...alerts },
  desk,
  deskComments,
  drafts,
  { ...dueDates, ...setAside, ...checklist, ...times },
  {
    ...deskAccounts,
    ...suspensions,
    ...quotaAdjustments,
    ...accountNotes,
    ...accountViews,
    ...importedPeople,
    ...accountOrders,
  },
  operators,
  operatorInvitations,
  { ...figures, ...reports, ...exports },
  audit,
  deliverables,
  macros,
  savedViews,
  catalogVersions,
  workers,
  studioApps,
  health,
  installation,
  probes,
]
  .flatMap((domain): unknown[] =>
    // By name: some test runners load namespaces in another order than Node.
    Object.entries(domain)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]): unknown => value),
  )
  .filter(isEndpoint);

const tags = {
  Catalog: 'What can be ordered. Public.',
  Plans: 'Plans and checkout.',
  Account: 'The caller, their grants and their usage.',
  Jobs: 'Work requests: create, follow, review.',
  Review: 'Comments on deliveries, which reach the studio with the request for a revision.',
  Talk: 'Messages between the customer and the studio about a job.',
  Files: 'Uploads and downloads, which go straight to the storage.',
  Library: 'Finished work by job, for the account and for whom it shows it to.',
  'Review links': 'Links for guests, who have no account, to the deliveries of one job.',
  Events: 'The log of the account: read from a cursor, waited for, or streamed.',
  Webhooks: 'The same events, sent to your endpoints and signed as in Standard Webhooks.',
  Orders: 'Orders that wait until an owner or admin of the account confirms them.',
  Intake: 'A conversation that leads to a brief, and a brief that becomes a job.',
  'API keys': 'Keys for agents, created by owners and admins.',
  'Connected apps': 'Apps that people connected by OAuth, without a key.',
  People: 'Sign-up, sign-in, members and invitations.',
  Notifications: 'Notifications of a person, in the apps and by mail.',
  Desk: 'The studio side: operators and workers move jobs.',
  'Running it': 'Probes for load balancers and monitoring, and the events of the payment provider.',
  Reference: 'This document.',
};

/** What holds for every operation, so that the operations need not repeat it. */
const introduction = `A job fulfillment service: read the catalog, check a draft, create a job, follow it, review it.

The guide is at {{url}}/docs/ for people and at {{url}}/llms.txt for programs. \`GET /api/v1/openapi.json?operation=createJob\`
answers one operation with everything it refers to. \`info.version\` is that of the API; \`x-service-version\` is the release of the service.

- Times are ISO 8601; in answers they are UTC with milliseconds. Texts of requests must not contain NUL.
- Every answer has \`X-Request-Id\`: the one of the request if it matches \`^[A-Za-z0-9._-]{1,128}$\` and is no credential, otherwise a new one.
- An answer that counts against a rate limit has \`RateLimit-Policy\` and \`RateLimit\`.
- \`default\` stands for the refusals that any operation can give. Each code has a page at {{url}}/docs/errors.
- A session may name the account it means in \`x-service-account\`: 409 \`account_changed\` if it acts for another one.`;

const ofAudience = (audience: Audience) =>
  `These are the operations for ${audience}s, without examples, cookies and CSRF tokens. {{url}}/api/v1/openapi.json has all operations.`;

type Terms = {
  closed?: boolean;
  title?: string;
  /** The release of the service. */
  release?: string;
  audience?: Audience | undefined;
  examples?: AnswerExamples;
};

/** Tests compare answers with the `closed` form of the document. */
export function openapi(
  serverUrl: string,
  { closed = false, title = 'Atelier', release, audience, examples = {} }: Terms = {},
): Record<string, unknown> {
  const listed = endpoints.filter((endpoint) => !audience || isFor(audience, endpoint));
  const components = createComponents({ closed, brief: audience !== undefined });
  components.responses['default'] = commonRefusals(listed, components.refer);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of listed)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint, components, examples);
  const used = new Set(listed.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      ...(release ? { 'x-service-version': release } : {}),
      description: [introduction, ...(audience ? [ofAudience(audience)] : [])]
        .join('\n\n')
        .replaceAll('{{url}}', serverUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths,
    webhooks: used.has('Webhooks') ? webhookRequest(components.refer) : {},
    components: {
      schemas: components.schemas,
      parameters: components.parameters,
      headers,
      responses: components.responses,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `<lead>_<prefix>_<secret>`, or the access token of a connected app, `ato_…`.',
        },
        workerKey: { type: 'http', scheme: 'bearer', description: 'A worker key: `atw_<prefix>_<secret>`.' },
        session: { type: 'http', scheme: 'bearer', description: 'The session token that sign-in returns.' },
        reviewLink: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            '`Review <token>`, with the token of a review link, `atr_<prefix>_<secret>`, or of a link to finished work, `ats_…`.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(serverUrl),
          description: 'The session cookie of a browser. Over https its name begins with `__Host-`.',
        },
      },
    },
  };
}
