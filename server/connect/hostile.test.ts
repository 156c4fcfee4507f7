import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type App,
  newApp,
  publicUrl,
  redirectUri,
  requestOf,
  serveDocuments,
} from '../../test/support/app-documents.ts';
import {
  allow,
  authorize,
  codeForm,
  connectApp,
  deviceRequest,
  postForm,
  type Tokens,
} from '../../test/support/apps.ts';
import type { As } from '../../test/support/harness.ts';
import { createStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { addMember, newSession, signUp, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

/** Ada is attacked. Each request differs from one that succeeds, the first of its table, in what its name says. */
let studio: Studio;
let mallory: TestPerson;
let member: TestPerson;
let job: string;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  studio = await createStudio({ WEBHOOK_ALLOW: '127.0.0.1' });
  mallory = await signUp(studio.service);
  member = await addMember(studio.service, studio.ada, 'member');
  job = await newJob(studio.service, studio.key);
  documents = await serveDocuments();
  await authorize(studio.service, requestOf(other()), mallory);
});
afterAll(async () => {
  documents.close();
  await studio.service.close();
});

const app = () => newApp(documents.at('painter.json'));
const other = () => newApp(documents.at('other.json'));

type Fields = Record<string, string>;
const without = (fields: Fields, name: string) =>
  String(new URLSearchParams(Object.entries(fields).filter(([key]) => key !== name)));
const twice = (fields: Fields, name: string, value: string) =>
  `${new URLSearchParams(fields)}&${new URLSearchParams({ [name]: value })}`;

/**
 * What an authorization request leads to, of somebody who let no app in: our page where a person can allow it, or
 * our page with an error, whose button may lead to the registered redirect. Anything else, like another address
 * or a code, is told as it is.
 */
async function outcomeOf(query: Fields | string): Promise<string> {
  const page = await authorize(studio.service, query, member);
  const [request, error] = [page.searchParams.get('request'), page.searchParams.get('error')];
  if (page.origin !== publicUrl || page.pathname !== '/connect') return page.href;
  if (request === null) return `page: ${error}`;
  if (error === null) return 'allowed to ask';
  const decision = { as: member, body: { request, allow: false } };
  const { redirect_to } = (await studio.service.call('POST', '/api/auth/connection/decide', decision)).body;
  const url = new URL(redirect_to);
  // The library answers who asks for a token in the fragment.
  const parameters = new URLSearchParams(url.search || url.hash.slice(1));
  const isApp = url.href.split(/[?#]/)[0] === redirectUri && parameters.get('iss') === `${publicUrl}/api/auth`;
  const isSame = parameters.get('error') === error && parameters.get('state') === 'state-1';
  return isApp && isSame && !parameters.has('code') ? `button: ${error}` : url.href;
}

type Query = (right: Fields) => Fields | string;
const requests: [name: string, outcome: string, change: Query][] = [
  ['without a client', 'page: invalid_request', (right) => without(right, 'client_id')],
  ['of an unknown client', 'page: invalid_client', (right) => ({ ...right, client_id: 'nobody' })],
  [
    'of the command line, which has no redirect',
    'page: unauthorized_client',
    (right) => ({ ...right, client_id: 'atelier-cli' }),
  ],
  [
    'of a client and another one',
    'page: invalid_request',
    (right) => twice(right, 'client_id', documents.at('other.json')),
  ],
  ['without a redirect', 'page: invalid_redirect', (right) => without(right, 'redirect_uri')],
  [
    'to an address that is not registered',
    'page: invalid_redirect',
    (right) => ({ ...right, redirect_uri: 'https://evil.example/callback' }),
  ],
  ['to another path', 'page: invalid_redirect', (right) => ({ ...right, redirect_uri: `${redirectUri}/../evil` })],
  [
    'to the redirect with a query',
    'page: invalid_redirect',
    (right) => ({ ...right, redirect_uri: `${redirectUri}?next=https://evil.example` }),
  ],
  [
    'to the redirect with a fragment',
    'page: invalid_request',
    (right) => ({ ...right, redirect_uri: `${redirectUri}#x` }),
  ],
  [
    'to the redirect with a user',
    'page: invalid_redirect',
    (right) => ({ ...right, redirect_uri: 'http://evil@127.0.0.1/callback' }),
  ],
  [
    'to a host that begins alike',
    'page: invalid_request',
    (right) => ({ ...right, redirect_uri: 'http://127.0.0.1.evil.example/callback' }),
  ],
  [
    'to localhost instead of its number',
    'page: invalid_redirect',
    (right) => ({ ...right, redirect_uri: 'http://localhost/callback' }),
  ],
  ['to a script', 'page: invalid_request', (right) => ({ ...right, redirect_uri: 'javascript:alert(1)' })],
  [
    'to two redirects',
    'page: invalid_request',
    (right) => twice(right, 'redirect_uri', 'https://evil.example/callback'),
  ],
  [
    'for a token in the address',
    'button: unsupported_response_type',
    (right) => ({ ...right, response_type: 'token' }),
  ],
  ['for code and token', 'button: unsupported_response_type', (right) => ({ ...right, response_type: 'code token' })],
  ['for no response type', 'button: invalid_request', (right) => without(right, 'response_type')],
  ['without a challenge', 'button: invalid_request', (right) => without(right, 'code_challenge')],
  [
    'without the method of the challenge',
    'button: invalid_request',
    (right) => without(right, 'code_challenge_method'),
  ],
  ['with a plain challenge', 'button: invalid_request', (right) => ({ ...right, code_challenge_method: 'plain' })],
  ['with two challenges', 'page: invalid_request', (right) => twice(right, 'code_challenge', 'x'.repeat(43))],
  ['for another resource', 'button: invalid_target', (right) => ({ ...right, resource: 'https://other.example/mcp' })],
  [
    'for another path of the service as its resource',
    'button: invalid_target',
    (right) => ({ ...right, resource: `${publicUrl}/api/v2` }),
  ],
  [
    'for the resource and another one',
    'button: invalid_target',
    (right) => twice(right, 'resource', 'https://other.example/mcp'),
  ],
  [
    'for the resource with a fragment',
    'button: invalid_request',
    (right) => ({ ...right, resource: `${publicUrl}/mcp#x` }),
  ],
  ['for an unknown scope', 'button: invalid_scope', (right) => ({ ...right, scope: 'api:read admin' })],
  ['for the identity of the person', 'button: invalid_scope', (right) => ({ ...right, scope: 'openid email' })],
  [
    'with a request object',
    'button: request_not_supported',
    (right) => ({ ...right, request: 'eyJhbGciOiJub25lIn0.e30.' }),
  ],
  [
    'with the address of a request object',
    'button: request_uri_not_supported',
    (right) => ({ ...right, request_uri: 'http://127.0.0.1/request' }),
  ],
  ['that shows no page', 'button: consent_required', (right) => ({ ...right, prompt: 'none' })],
  ['longer than the page can hand back', 'page: invalid_request', (right) => ({ ...right, state: 'x'.repeat(4000) })],
];

const asksBy = (change: Query) => () => outcomeOf(change(requestOf(app())));

const right = (name: string, change: object = {}) => {
  const client_id = documents.at(name);
  return documents.at(name, { client_id, client_name: 'Painter', redirect_uris: [redirectUri], ...change });
};
const badDocuments: [name: string, outcome: string, address: () => string][] = [
  [
    'that names another client',
    'page: unreadable_document',
    () => right('a.json', { client_id: documents.at('painter.json') }),
  ],
  ['larger than 5 kB', 'page: unreadable_document', () => right('b.json', { padding: 'x'.repeat(5200) })],
  ['that is no JSON', 'page: unreadable_document', () => documents.at('c.json', '<html>')],
  ['of another type', 'page: unreadable_document', () => documents.at('d.json', '{}', 'text/html')],
  [
    'that redirects',
    'page: unreadable_document',
    () => documents.at('e.json', documents.at('painter.json'), 'redirect'),
  ],
  ['without redirects', 'page: unreadable_document', () => right('f.json', { redirect_uris: [] })],
  [
    'with a script as redirect',
    'page: unreadable_document',
    () => right('g.json', { redirect_uris: [redirectUri, 'javascript:alert(1)'] }),
  ],
  [
    'with a redirect to plain http elsewhere',
    'page: unreadable_document',
    () => right('h.json', { redirect_uris: [redirectUri, 'http://evil.example/callback'] }),
  ],
  [
    'that would prove itself by a secret',
    'page: unreadable_document',
    () => right('i.json', { token_endpoint_auth_method: 'client_secret_post' }),
  ],
  ['at an internal address', 'page: unreadable_document', () => 'https://10.0.0.1/painter.json'],
  ['at the address of cloud metadata', 'page: unreadable_document', () => 'https://169.254.169.254/painter.json'],
  ['at an internal address of version 6', 'page: unreadable_document', () => 'https://[fd00::1]/painter.json'],
  ['at a name that leads inside', 'page: unreadable_document', () => 'https://localhost/painter.json'],
  [
    'with a password in its address',
    'page: unreadable_document',
    () => documents.at('painter.json').replace('//', '//user:pass@'),
  ],
  ['without a path', 'page: unreadable_document', () => new URL(documents.at('')).href],
  ['with a query', 'page: unreadable_document', () => `${documents.at('painter.json')}?x=1`],
  ['with dots in its path', 'page: unreadable_document', () => documents.at('x/../painter.json')],
];

const asksAs = (address: () => string) => () => outcomeOf({ ...requestOf(app()), client_id: address() });

/** A token, or how it was refused. */
async function exchanged(form: Fields | string): Promise<string> {
  const { status, body } = await postForm(studio.service, '/oauth2/token', form);
  return status === 200 && body.access_token !== undefined ? 'a token' : `${status} ${body.error}`;
}

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';
type Exchange = (form: Fields, app: App) => Fields | string | Promise<Fields>;
const exchanges: [name: string, outcome: string, change: Exchange][] = [
  ['with another verifier', '400 invalid_grant', (form) => ({ ...form, code_verifier: newApp('x').verifier })],
  [
    'with the challenge as verifier',
    '400 invalid_grant',
    (form, { challenge }) => ({ ...form, code_verifier: challenge }),
  ],
  ['without a verifier', '400 invalid_request', (form) => without(form, 'code_verifier')],
  ['by another client', '400 invalid_grant', (form) => ({ ...form, client_id: documents.at('other.json') })],
  ['by the command line', '400 invalid_grant', (form) => ({ ...form, client_id: 'atelier-cli' })],
  ['without a client', '400 invalid_request', (form) => without(form, 'client_id')],
  ['to another redirect', '400 invalid_grant', (form) => ({ ...form, redirect_uri: 'http://127.0.0.1/other' })],
  ['without the redirect', '400 invalid_request', (form) => without(form, 'redirect_uri')],
  ['for another resource', '400 invalid_target', (form) => ({ ...form, resource: 'https://other.example/mcp' })],
  ['with a made-up code', '400 invalid_grant', (form) => ({ ...form, code: 'x'.repeat(32) })],
  ['with two codes', '400 invalid_request', (form) => twice(form, 'code', 'x')],
  [
    'as credentials of the app',
    '400 unsupported_grant_type',
    (form) => ({ ...form, grant_type: 'client_credentials' }),
  ],
  ['as a password', '400 unsupported_grant_type', (form) => ({ ...form, grant_type: 'password' })],
  [
    'as a refresh token',
    '400 invalid_grant',
    (form) => ({ ...form, grant_type: 'refresh_token', refresh_token: form.code ?? '' }),
  ],
  [
    'as the code of a program that waits',
    '400 invalid_grant',
    (form) => ({ ...form, grant_type: deviceCode, device_code: form.code ?? '' }),
  ],
  [
    'a second time',
    '400 invalid_grant',
    async (form) => {
      expect(await exchanged(form)).toBe('a token');
      return form;
    },
  ],
  [
    'after a minute',
    '400 invalid_grant',
    async (form) => {
      await sql`update verifications set expires_at = now() - interval '1 second'`.execute(studio.service.context.db);
      return form;
    },
  ],
];

const exchangesBy = (change: Exchange) => async () => {
  const painter = app();
  const { code } = await allow(studio.service, studio.ada, painter);
  return exchanged(await change(codeForm(painter, code), painter));
};

type Refresh = (form: Fields, tokens: Tokens) => Fields | Promise<Fields>;
const refreshes: [name: string, outcome: string, change: Refresh][] = [
  ['by another client', '400 invalid_grant', (form) => ({ ...form, client_id: documents.at('other.json') })],
  ['for more than was allowed', '400 invalid_scope', (form) => ({ ...form, scope: 'api:read api:write' })],
  ['for another resource', '400 invalid_target', (form) => ({ ...form, resource: 'https://other.example' })],
  [
    'changed by a letter',
    '400 invalid_grant',
    (form) => ({ ...form, refresh_token: `${form.refresh_token?.slice(0, -1)}?` }),
  ],
  ['as an access token', '400 invalid_grant', (form, { access_token }) => ({ ...form, refresh_token: access_token })],
  [
    'a second time, a minute later',
    '400 invalid_grant',
    async (form) => {
      expect(await exchanged(form)).toBe('a token');
      await sql`update oauth_refresh_tokens set paired_at = paired_at - interval '61 seconds'`.execute(
        studio.service.context.db,
      );
      return form;
    },
  ],
];

const refreshesBy = (change: Refresh) => async () => {
  const painter = app();
  const tokens = await connectApp(studio.service, studio.ada, painter);
  const form = { grant_type: 'refresh_token', client_id: painter.clientId, refresh_token: tokens.refresh_token };
  return exchanged(await change(form, tokens));
};

/** What a credential gets of Ada's job. */
async function opened(credential: string): Promise<string> {
  const { status, body } = await studio.service.call('GET', `/api/v1/jobs/${job}`, { as: credential });
  return status === 200 ? 'her job' : `${status} ${body.error.code}`;
}

type Credential = (tokens: Tokens) => string | Promise<string>;
const spoiled =
  (spoil: () => RawBuilder<unknown>): Credential =>
  async ({ access_token }) => {
    await spoil().execute(studio.service.context.db);
    return access_token;
  };
const credentials: [name: string, outcome: string, change: Credential][] = [
  [
    'of another account',
    '404 job_not_found',
    async () => (await connectApp(studio.service, mallory, app())).access_token,
  ],
  ['that is a refresh token', '401 unauthenticated', ({ refresh_token }) => refresh_token],
  [
    'that is a refresh token under the lead of another',
    '401 unauthenticated',
    ({ refresh_token }) => `ato_${refresh_token.slice(4)}`,
  ],
  ['under the lead of keys', '401 unauthenticated', ({ access_token }) => `atl_${access_token.slice(4)}`],
  ['changed by a letter', '401 unauthenticated', ({ access_token }) => `${access_token.slice(0, -1)}?`],
  [
    'for another resource',
    '401 unauthenticated',
    spoiled(() => sql`update oauth_access_tokens set resources = '["https://other.example/mcp"]'`),
  ],
  [
    'of another person',
    '401 unauthenticated',
    spoiled(() => sql`update oauth_access_tokens set user_id = ${mallory.userId}`),
  ],
  ['of another client', '401 unauthenticated', spoiled(() => sql`update oauth_access_tokens set client_id = 'other'`)],
  ['of no grant', '401 unauthenticated', spoiled(() => sql`update oauth_access_tokens set reference_id = null`)],
  ['after its hour', '401 unauthenticated', spoiled(() => sql`update oauth_access_tokens set expires_at = now()`)],
  [
    'of a grant that is over',
    '401 unauthenticated',
    spoiled(() => sql`update api_keys set expires_at = now() where app_client_id is not null`),
  ],
];

const opensBy = (change: Credential) => async () =>
  opened(await change(await connectApp(studio.service, studio.ada, app())));

/** What a decision about a request of an app leads to. */
async function decided(as: As, body: object, headers: Record<string, string> = {}): Promise<string> {
  const answer = await studio.service.call('POST', '/api/auth/connection/decide', { as, body, headers });
  return answer.status === 200 ? 'let in' : `${answer.status} ${answer.body.error.code}`;
}

type Body = { request: string; allow: true; account_id: string };
type Decision = (body: Body, ordering: Body) => Promise<string>;

/** The request of an app with another redirect. The library signed it as it was; our signature may be right. */
const forged = ({ request }: Body, sign: (query: string, mac: string) => string) => {
  const [encoded = '', mac = ''] = request.split('.');
  const query = Buffer.from(encoded, 'base64url').toString().replace('127.0.0.1%2Fcallback', 'evil.example');
  return `${Buffer.from(query).toString('base64url')}.${sign(query, mac)}`;
};

const decisions: [name: string, outcome: string, decide: Decision][] = [
  [
    'from another site',
    '403 csrf_token_invalid',
    (body) =>
      decided({ cookie: studio.ada.cookie }, body, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
  ],
  [
    'with the token of another session',
    '403 csrf_token_invalid',
    async (body) =>
      decided({ cookie: studio.ada.cookie, csrf: (await newSession(studio.service, studio.ada)).csrf }, body),
  ],
  ['by nobody', '401 unauthenticated', (body) => decided(null, body)],
  [
    'by an app',
    '403 credential_not_accepted',
    async (body) => decided((await connectApp(studio.service, studio.ada, app())).access_token, body),
  ],
  ['by an API key', '403 credential_not_accepted', (body) => decided(studio.key, body)],
  ['by somebody of another account', '404 account_not_found', (body) => decided(mallory, body)],
  [
    'by a member, about ordering',
    '403 role_required',
    (_, ordering) => decided(member, { ...ordering, scopes: ['api:read', 'api:write'] }),
  ],
  [
    'for more than was asked for',
    '422 invalid_request',
    (body) => decided(studio.ada, { ...body, scopes: ['api:read', 'api:write'] }),
  ],
  ['for years', '422 invalid_request', (body) => decided(studio.ada, { ...body, days: 3650 })],
  [
    'about a request that was changed',
    '422 invalid_request',
    (body) => decided(studio.ada, { ...body, request: forged(body, (_, mac) => mac) }),
  ],
  [
    'about a request whose redirect was changed under our signature',
    '422 invalid_request',
    (body) =>
      decided(studio.ada, {
        ...body,
        request: forged(body, (query) => studio.service.context.signer.sign('app request', query)),
      }),
  ],
  ['about a made-up request', '422 invalid_request', (body) => decided(studio.ada, { ...body, request: 'x' })],
  [
    'about a program whose code another person entered',
    '422 invalid_request',
    async (body) => decided(studio.ada, { ...body, request: await deviceRequest(studio.service, mallory.token) }),
  ],
];

const decides = (decide: Decision) => async () => {
  const wish = async (scope: string): Promise<Body> => ({
    request:
      (await authorize(studio.service, { ...requestOf(app()), scope }, studio.ada)).searchParams.get('request') ?? '',
    allow: true,
    account_id: showId('acct', studio.ada.accountId),
  });
  return decide(await wish('api:read'), await wish('api:read api:write'));
};

const begins = async (change: Fields) => {
  const { status, body } = await postForm(studio.service, '/device/code', { client_id: 'atelier-cli', ...change });
  return { outcome: status === 200 ? 'a code' : `${status} ${body.error}`, device_code: body.device_code ?? '' };
};
const polls = async (change: Fields) => {
  const { device_code } = await begins({});
  return exchanged({ grant_type: deviceCode, client_id: 'atelier-cli', device_code, ...change });
};
const programs: [name: string, outcome: string, attempt: () => Promise<string>][] = [
  [
    'by another client',
    '401 unauthorized_client',
    async () => (await begins({ client_id: documents.at('painter.json') })).outcome,
  ],
  [
    'for another resource',
    '400 invalid_target',
    async () => (await begins({ resource: 'https://other.example/mcp' })).outcome,
  ],
  ['for an unknown scope', '400 invalid_scope', async () => (await begins({ scope: 'admin' })).outcome],
  ['that fetches its token before the person decided', '400 authorization_pending', () => polls({})],
  [
    'that fetches the token of another one',
    '400 invalid_grant',
    () => polls({ client_id: documents.at('other.json') }),
  ],
  ['that makes up its code', '400 invalid_grant', () => polls({ device_code: 'x'.repeat(40) })],
];

const closed = [
  'POST /api/auth/oauth2/register',
  'POST /api/auth/oauth2/introspect',
  'POST /api/auth/oauth2/consent',
  'POST /api/auth/oauth2/continue',
  'POST /api/auth/oauth2/create-client',
  'POST /api/auth/admin/oauth2/create-client',
  'GET /api/auth/oauth2/get-clients',
  'GET /api/auth/oauth2/userinfo',
  'GET /api/auth/oauth2/end-session',
  'POST /api/auth/device/approve',
  'POST /api/auth/device/deny',
  'GET /api/auth/.well-known/openid-configuration',
  'GET /.well-known/openid-configuration',
];
const calls = (line: string) => async () => {
  const [method = '', path = ''] = line.split(' ');
  const { status, body } = await studio.service.call(method, path, {
    as: studio.ada,
    ...(method === 'POST' ? { body: {} } : {}),
  });
  return `${status} ${body.error.code}`;
};

type Attempt = [name: string, outcome: string, attempt: () => Promise<string>];
const named = <T>(what: string, table: [string, string, T][], attempt: (change: T) => Attempt[2]): Attempt[] =>
  table.map(([name, outcome, change]) => [`${what} ${name}`, outcome, attempt(change)]);

/** They succeed, so that what differs from them in one thing fails because of it. */
const friendly: Attempt[] = [
  ['an authorization request', 'allowed to ask', asksBy((query) => query)],
  [
    'a request to any port of a loopback',
    'allowed to ask',
    asksBy((query) => ({ ...query, redirect_uri: 'http://127.0.0.1:45678/callback' })),
  ],
  ['a metadata document', 'allowed to ask', asksAs(() => right('right.json'))],
  ['a code that is exchanged', 'a token', exchangesBy((form) => form)],
  ['a refresh token that is used', 'a token', refreshesBy((form) => form)],
  ['an access token', 'her job', opensBy(({ access_token }) => access_token)],
  ['a decision', 'let in', decides((body) => decided(studio.ada, body))],
  [
    'a decision about ordering',
    'let in',
    decides((_, ordering) => decided(studio.ada, { ...ordering, scopes: ['api:read', 'api:write'] })),
  ],
  ['a program without a browser', 'a code', async () => (await begins({})).outcome],
];
const hostile: Attempt[] = [
  ...named('an authorization request', requests, asksBy),
  ...named('a metadata document', badDocuments, asksAs),
  ...named('a code that is exchanged', exchanges, exchangesBy),
  ...named('a refresh token that is used', refreshes, refreshesBy),
  ...named('an access token', credentials, opensBy),
  ...named('a decision', decisions, decides),
  ...named('a program without a browser', programs, (attempt) => attempt),
  ...closed.map((line): Attempt => [`a route of the library: ${line}`, '404 not_found', calls(line)]),
];

test.each(friendly)('%s → %s', async (_, outcome, attempt) => {
  expect(await attempt()).toBe(outcome);
});

test.each(hostile)('refused: %s → %s', async (_, outcome, attempt) => {
  expect(await attempt()).toBe(outcome);
});

test('no two hostile requests are the same, and none is expected to succeed', () => {
  const won = new Set(friendly.map(([, outcome]) => outcome));
  expect(hostile.filter(([, outcome]) => won.has(outcome))).toEqual([]);
  expect(new Set(hostile.map(([name]) => name)).size).toBe(hostile.length);
  expect(hostile.length).toBeGreaterThanOrEqual(40);
});
