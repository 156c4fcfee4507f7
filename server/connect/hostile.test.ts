import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type App,
  newApp,
  publicUrl,
  redirectUri,
  requestOf,
  serveDocuments,
} from '../../test/support/app-documents.ts';
import { allow, authorize, codeForm, connectApp, postForm, refresh } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { addMember, newSession, signUp, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let ada: TestPerson;
let mallory: TestPerson;
let member: TestPerson;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  service = await createService({ WEBHOOK_ALLOW: '127.0.0.1' });
  ada = await signUp(service);
  mallory = await signUp(service);
  member = await addMember(service, ada, 'member');
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  await service.close();
});

const app = () => newApp(documents.at('painter.json'));
const other = () => newApp(documents.at('other.json'));

/** A request succeeds if it reaches the page where a person can allow it. */
const reachesPage = (url: URL) => url.pathname === '/connect' && url.searchParams.has('request');
const without = (query: Record<string, string>, name: string) =>
  String(new URLSearchParams(Object.entries(query).filter(([key]) => key !== name)));
const twice = (query: Record<string, string>, name: string, value: string) =>
  `${new URLSearchParams(query)}&${new URLSearchParams({ [name]: value })}`;

type Query = Record<string, string>;
const requests: [name: string, (right: Query) => Query | string][] = [
  ['without a client', (right) => without(right, 'client_id')],
  ['of an unknown client', (right) => ({ ...right, client_id: 'nobody' })],
  ['of the command line, which has no redirect', (right) => ({ ...right, client_id: 'atelier-cli' })],
  ['with a second client', (right) => twice(right, 'client_id', documents.at('other.json'))],
  ['without a redirect', (right) => without(right, 'redirect_uri')],
  ['to a redirect that is not registered', (right) => ({ ...right, redirect_uri: 'https://evil.example/callback' })],
  ['to another path of the redirect', (right) => ({ ...right, redirect_uri: `${redirectUri}/../evil` })],
  ['to the redirect with a query', (right) => ({ ...right, redirect_uri: `${redirectUri}?next=https://evil.example` })],
  ['to the redirect with a fragment', (right) => ({ ...right, redirect_uri: `${redirectUri}#x` })],
  ['to the redirect with a user', (right) => ({ ...right, redirect_uri: 'http://evil@127.0.0.1/callback' })],
  [
    'to a host that begins like the redirect',
    (right) => ({ ...right, redirect_uri: 'http://127.0.0.1.evil.example/callback' }),
  ],
  ['to localhost instead of the address', (right) => ({ ...right, redirect_uri: 'http://localhost/callback' })],
  ['to a script', (right) => ({ ...right, redirect_uri: 'javascript:alert(1)' })],
  ['with a second redirect', (right) => twice(right, 'redirect_uri', 'https://evil.example/callback')],
  ['for a token in the address', (right) => ({ ...right, response_type: 'token' })],
  ['for code and token', (right) => ({ ...right, response_type: 'code token' })],
  ['for no response type', (right) => without(right, 'response_type')],
  ['without a challenge', (right) => without(right, 'code_challenge')],
  ['without the method of the challenge', (right) => without(right, 'code_challenge_method')],
  ['with a plain challenge', (right) => ({ ...right, code_challenge_method: 'plain' })],
  ['with a second challenge', (right) => twice(right, 'code_challenge', 'x'.repeat(43))],
  ['for another resource', (right) => ({ ...right, resource: 'https://other.example/mcp' })],
  ['for the API as its own resource', (right) => ({ ...right, resource: `${publicUrl}/api/v1` })],
  ['for the resource and another one', (right) => twice(right, 'resource', 'https://other.example/mcp')],
  ['for the resource with a fragment', (right) => ({ ...right, resource: `${publicUrl}/mcp#x` })],
  ['for an unknown scope', (right) => ({ ...right, scope: 'api:read admin' })],
  ['for the identity of the person', (right) => ({ ...right, scope: 'openid email' })],
  ['with a request object', (right) => ({ ...right, request: 'eyJhbGciOiJub25lIn0.e30.' })],
  ['with the address of a request object', (right) => ({ ...right, request_uri: 'http://127.0.0.1/request' })],
  ['that shows no page', (right) => ({ ...right, prompt: 'none' })],
];

test.each(requests)('a request %s reaches no page, and no address that is not registered', async (_, change) => {
  const url = await authorize(service, change(requestOf(app())));
  expect(reachesPage(url)).toBe(false);
  const isOurs = url.origin === publicUrl && url.pathname === '/connect' && url.searchParams.has('error');
  // The library answers who asks for a token in the fragment.
  const told = new URLSearchParams(url.search || url.hash.slice(1));
  const isApp = url.href.split(/[?#]/)[0] === redirectUri && told.has('error');
  expect(isOurs || isApp).toBe(true);
  expect(told.get('code')).toBeNull();
  if (isApp) expect(told.get('iss')).toBe(`${publicUrl}/api/auth`);
});

test('the right request reaches the page, with any port of a loopback redirect', async () => {
  expect(reachesPage(await authorize(service, requestOf(app())))).toBe(true);
  const port = { ...requestOf(app()), redirect_uri: 'http://127.0.0.1:45678/callback' };
  expect(reachesPage(await authorize(service, port))).toBe(true);
});

const right = (name: string, change: object) => {
  const client_id = documents.at(name);
  return documents.at(name, { client_id, client_name: 'Painter', redirect_uris: [redirectUri], ...change });
};
const badDocuments: [name: string, () => string][] = [
  ['that names another client', () => right('a.json', { client_id: documents.at('painter.json') })],
  ['larger than 5 kB', () => right('b.json', { padding: 'x'.repeat(5200) })],
  ['that is no JSON', () => documents.at('c.json', '<html>')],
  ['of another type', () => documents.at('d.json', '{}', 'text/html')],
  ['that redirects', () => documents.at('e.json', documents.at('painter.json'), 'redirect')],
  ['without redirects', () => right('f.json', { redirect_uris: [] })],
  ['with a script as redirect', () => right('g.json', { redirect_uris: ['javascript:alert(1)'] })],
  [
    'with a redirect to plain http elsewhere',
    () => right('h.json', { redirect_uris: ['http://evil.example/callback'] }),
  ],
  ['that would prove itself by a secret', () => right('i.json', { token_endpoint_auth_method: 'client_secret_post' })],
  ['at an internal address', () => 'https://10.0.0.1/painter.json'],
  ['at the address of cloud metadata', () => 'https://169.254.169.254/painter.json'],
  ['at an internal address of version 6', () => 'https://[fd00::1]/painter.json'],
  ['at a name that leads inside', () => 'https://localhost/painter.json'],
  ['with a password in its address', () => documents.at('painter.json').replace('//', '//user:pass@')],
  ['without a path', () => new URL(documents.at('')).href],
  ['with a query', () => `${documents.at('painter.json')}?x=1`],
  ['with dots in its path', () => documents.at('x/../painter.json')],
];

test.each(badDocuments)('a metadata document %s lets nobody in', async (_, address) => {
  const client_id = address();
  const redirect_uri = client_id.endsWith('g.json') ? 'javascript:alert(1)' : redirectUri;
  const url = await authorize(service, { ...requestOf(app()), client_id, redirect_uri });
  expect([url.origin, url.pathname, url.searchParams.has('error')]).toEqual([publicUrl, '/connect', true]);
  expect(reachesPage(url)).toBe(false);
});

test('a document is read once a day', async () => {
  const client_id = documents.at('daily.json');
  const reads = () => documents.asked.filter((path) => path === '/daily.json').length;
  for (let n = 0; n < 3; n++) await authorize(service, { ...requestOf(app()), client_id });
  expect(reads()).toBe(1);
  await sql`update oauth_clients set updated_at = now() - interval '25 hours'`.execute(service.context.db);
  await authorize(service, { ...requestOf(app()), client_id });
  expect(reads()).toBe(2);
});

const forms: [name: string, (form: Query, app: App) => Query | string][] = [
  ['with another verifier', (form) => ({ ...form, code_verifier: newApp('x').verifier })],
  ['without a verifier', (form) => without(form, 'code_verifier')],
  ['by another client', (form) => ({ ...form, client_id: documents.at('other.json') })],
  ['without a client', (form) => without(form, 'client_id')],
  ['to another redirect', (form) => ({ ...form, redirect_uri: 'http://127.0.0.1/other' })],
  ['without the redirect', (form) => without(form, 'redirect_uri')],
  ['for another resource', (form) => ({ ...form, resource: 'https://other.example/mcp' })],
  ['with a wrong code', (form) => ({ ...form, code: 'x'.repeat(32) })],
  ['with a second code', (form) => twice(form, 'code', 'x')],
  ['as credentials of the app', (form) => ({ ...form, grant_type: 'client_credentials' })],
  ['as a password', (form) => ({ ...form, grant_type: 'password' })],
];

test.each(forms)('a code that is exchanged %s gives no token', async (_, change) => {
  await authorize(service, requestOf(other()));
  const one = app();
  const { code } = await allow(service, ada, one);
  const answer = await postForm(service, '/oauth2/token', change(codeForm(one, code), one));
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.access_token).toBeUndefined();
});

const me = (token: string) => service.call('GET', '/api/v1/me', { as: token });

test('a code works once: the second time ends what the first gave', async () => {
  const one = app();
  const { code } = await allow(service, ada, one);
  const first = await postForm(service, '/oauth2/token', codeForm(one, code));
  expect((await me(first.body.access_token ?? '')).status).toBe(200);
  const second = await postForm(service, '/oauth2/token', codeForm(one, code));
  expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
  expect((await me(first.body.access_token ?? '')).status).toBe(401);
});

test('a code ends after a minute', async () => {
  const one = app();
  const { code } = await allow(service, ada, one);
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float as seconds from verifications
    where value like '%authorization_code%' order by created_at desc limit 1`.execute(service.context.db);
  expect(rows[0]?.seconds).toBeGreaterThan(50);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(61);
  await sql`update verifications set expires_at = now() - interval '1 second'`.execute(service.context.db);
  expect((await postForm(service, '/oauth2/token', codeForm(one, code))).status).toBe(400);
});

test('a refresh token works once: the second time ends the grant', async () => {
  const one = app();
  const tokens = await connectApp(service, ada, one);
  const next = await refresh(service, one, tokens.refresh_token);
  expect([next.status, (await me(next.body.access_token ?? '')).status]).toEqual([200, 200]);
  const again = await refresh(service, one, tokens.refresh_token);
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  expect((await me(next.body.access_token ?? '')).status).toBe(401);
  expect((await refresh(service, one, next.body.refresh_token ?? '')).status).toBe(400);
});

test('a refresh token is of no use to another client, for more scopes, or as an access token', async () => {
  const [one, two] = [app(), other()];
  await authorize(service, requestOf(two));
  const { refresh_token, access_token } = await connectApp(service, ada, one);
  expect((await refresh(service, two, refresh_token)).status).toBe(400);
  const form = { grant_type: 'refresh_token', client_id: one.clientId, refresh_token };
  const wider = await postForm(service, '/oauth2/token', { ...form, scope: 'api:read api:write' });
  expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
  const elsewhere = await postForm(service, '/oauth2/token', { ...form, resource: 'https://other.example' });
  expect([elsewhere.status, elsewhere.body.error]).toEqual([400, 'invalid_target']);
  expect((await me(refresh_token)).status).toBe(401);
  expect((await me(`ato_${refresh_token.slice(4)}`)).status).toBe(401);
  expect((await me(access_token)).status).toBe(200);
});

test('another client cannot revoke a token; the grant ends by any token of its own', async () => {
  const [one, two] = [app(), other()];
  const tokens = await connectApp(service, ada, one);
  const revoke = (token: string, client_id: string) => postForm(service, '/oauth2/revoke', { token, client_id });
  expect((await revoke(tokens.refresh_token, two.clientId)).status).toBe(200);
  expect((await me(tokens.access_token)).status).toBe(200);
  expect((await revoke(tokens.access_token, one.clientId)).status).toBe(200);
  expect((await me(tokens.access_token)).status).toBe(401);
  expect((await refresh(service, one, tokens.refresh_token)).status).toBe(400);
});

test('a token for another resource, of another person or of an ended grant does not work', async () => {
  const { db } = service.context;
  const spoiled = [
    sql`update oauth_access_tokens set resources = '["https://other.example/mcp"]'`,
    sql`update oauth_access_tokens set user_id = ${mallory.userId}`,
    sql`update oauth_access_tokens set client_id = 'other'`,
    sql`update oauth_access_tokens set expires_at = now()`,
    sql`update api_keys set expires_at = now() where app_client_id is not null`,
    sql`update oauth_access_tokens set reference_id = null`,
  ];
  for (const spoil of spoiled) {
    const { access_token } = await connectApp(service, ada, app());
    expect((await me(access_token)).status).toBe(200);
    await spoil.execute(db);
    expect((await me(access_token)).status).toBe(401);
  }
});

const decide = (as: Parameters<Service['call']>[2], body: object) =>
  service.call('POST', '/api/auth/connection/decide', { ...as, body });
const askedBy = async (one = app(), scope = 'api:read') =>
  (await authorize(service, { ...requestOf(one), scope })).searchParams.get('request') ?? '';
const account = (person: TestPerson) => showId('acct', person.accountId);

test('403 csrf_token_invalid: another site cannot consent for a person', async () => {
  const body = { request: await askedBy(), allow: true, account_id: account(ada) };
  const forged = await decide({ as: { cookie: ada.cookie } }, body);
  expect([forged.status, forged.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  const wrong = await decide({ as: { cookie: ada.cookie, csrf: (await newSession(service, ada)).csrf } }, body);
  expect(wrong.body.error.code).toBe('csrf_token_invalid');
});

test('401 unauthenticated: nobody consents without a session; 403 credential_not_accepted: nor does an app', async () => {
  const { access_token } = await connectApp(service, ada, app());
  const body = { request: await askedBy(), allow: true, account_id: account(ada) };
  expect((await decide({ as: null }, body)).status).toBe(401);
  expect((await decide({ as: access_token }, body)).body.error.code).toBe('credential_not_accepted');
});

test('404 account_not_found: nobody lets an app into an account of others', async () => {
  const body = { request: await askedBy(), allow: true, account_id: account(ada) };
  const { status, body: answer } = await decide({ as: mallory }, body);
  expect([status, answer.error.code]).toEqual([404, 'account_not_found']);
});

test('403 role_required: a member cannot let an app order', async () => {
  const request = await askedBy(app(), 'api:read api:write');
  const body = { request, allow: true, account_id: account(ada), scopes: ['api:read', 'api:write'] };
  expect((await decide({ as: member }, body)).body.error.code).toBe('role_required');
  expect((await decide({ as: member }, { ...body, scopes: ['api:read'] })).status).toBe(200);
});

test('422 invalid_request: a decision cannot widen, change or make up a request', async () => {
  const request = await askedBy();
  const body = { request, allow: true, account_id: account(ada) };
  const [encoded = '', mac = ''] = request.split('.');
  const query = Buffer.from(encoded, 'base64url').toString();
  const changed = `${Buffer.from(query.replace('api%3Aread', 'api%3Awrite')).toString('base64url')}.${mac}`;
  const own = service.context.signer.sign('app request', query.replace('127.0.0.1%2Fcallback', 'evil.example'));
  const resigned = `${Buffer.from(query.replace('127.0.0.1%2Fcallback', 'evil.example')).toString('base64url')}.${own}`;
  const wrong = [
    { ...body, scopes: ['api:write'] },
    { ...body, scopes: ['api:read', 'api:write'] },
    { ...body, request: changed },
    { ...body, request: resigned }, // the signature of the library fails
    { ...body, request: 'x' },
    { ...body, account_id: undefined },
    { ...body, days: 3650 },
  ];
  for (const one of wrong) expect((await decide({ as: ada }, one)).status).toBe(422);
});
