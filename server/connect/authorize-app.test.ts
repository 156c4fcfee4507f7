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
import { authorize, codeForm, connectApp, postForm } from '../../test/support/apps.ts';
import { clientRow } from './client.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  service = await createService({ WEBHOOK_ALLOW: '127.0.0.1' });
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  await service.close();
});

const painter = () => newApp(documents.at('painter.json'));

/** Requests that an app is told about, with the error. */
const faults: [error: string, change: Record<string, string>][] = [
  ['consent_required', { prompt: 'none' }],
  ['invalid_scope', { scope: 'admin' }],
  ['invalid_request', { code_challenge_method: 'plain' }],
  ['invalid_target', { resource: 'https://other.example/mcp' }],
  ['request_not_supported', { request: 'x' }],
  ['unsupported_response_type', { response_type: 'token' }],
];

/** Where the browser of the person is sent, without the words. */
async function sent(as: TestPerson, app: App, change: Record<string, string>): Promise<string> {
  const url = await authorize(service, { ...requestOf(app), ...change }, as);
  return `${url.origin}${url.pathname}`;
}

test('an app that the person connected gets its error at once, with state and iss', async () => {
  const ada = await signUp(service);
  const app = painter();
  await connectApp(service, ada, app);
  for (const [error, change] of faults) {
    const url = await authorize(service, { ...requestOf(app), ...change }, ada);
    const fields = new URLSearchParams(url.search || url.hash.slice(1));
    expect(url.href.split(/[?#]/)[0], error).toBe(redirectUri);
    expect([fields.get('error'), fields.get('state'), fields.get('iss')]).toEqual([
      error,
      'state-1',
      `${publicUrl}/api/auth`,
    ]);
  }
});

test('no other app gets the browser without a click: not before, not of another person, not once its access ended', async () => {
  const [ada, bob] = [await signUp(service), await signUp(service)];
  const [app, other] = [painter(), newApp(documents.at('other.json'))];
  await connectApp(service, ada, app);
  const page = `${publicUrl}/connect`;
  for (const [, change] of faults) {
    expect(await sent(bob, app, change)).toBe(page);
    expect(await sent(ada, other, change)).toBe(page);
  }
  const prompt = { prompt: 'none' };
  expect(await sent(ada, app, prompt)).toBe(redirectUri);
  await sql`
    update api_keys set expires_at = now(), created_at = now() - interval '1 day'
    where created_by = ${ada.userId}`.execute(service.context.db);
  expect(await sent(ada, app, prompt)).toBe(page);
  await connectApp(service, ada, app);
  expect(await sent(ada, app, prompt)).toBe(redirectUri);
  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: ada })).body;
  await service.call('DELETE', `/api/auth/connected-apps/${connected_apps[0].id}`, { as: ada });
  expect(await sent(ada, app, prompt)).toBe(page);
});

test('the page names a refused app and its host; only its button leads there, and nothing lets the app in', async () => {
  const bob = await signUp(service);
  const app = painter();
  const url = await authorize(service, { ...requestOf(app), scope: 'admin' }, bob);
  const request = url.searchParams.get('request') ?? '';
  expect([...url.searchParams.keys()]).toEqual(['error', 'request']);
  const shown = await service.call('GET', `/api/auth/connection?request=${request}`, { as: bob });
  expect(shown.body).toMatchObject({ app: { name: 'Painter' }, redirect_host: '127.0.0.1', scopes: ['api:read'] });
  const decide = (body: object) =>
    service.call('POST', '/api/auth/connection/decide', { as: bob, body: { request, ...body } });
  const allowed = await decide({ allow: true, account_id: showId('acct', bob.accountId) });
  expect([allowed.status, allowed.body.error.code]).toEqual([422, 'invalid_request']);
  const back = new URL((await decide({ allow: false })).body.redirect_to);
  expect([back.href.split('?')[0], back.searchParams.get('error')]).toEqual([redirectUri, 'invalid_scope']);
  expect((await service.call('GET', '/api/auth/connected-apps', { as: bob })).body.connected_apps).toEqual([]);
});

test.each([
  [null, ['api:read', 'api:write']],
  ['offline_access', ['api:read', 'api:write']],
  ['api:write', ['api:read', 'api:write']],
  ['api:read', ['api:read']],
])('an app that names the scope %s asks for %j, and its token says what the person chose', async (scope, asked) => {
  const ada = await signUp(service);
  const app = painter();
  const { scope: _, ...query } = requestOf(app);
  const page = await authorize(service, { ...query, ...(scope === null ? {} : { scope }) }, ada);
  const request = page.searchParams.get('request') ?? '';
  const shown = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
  expect(shown.body.scopes).toEqual(asked);
  for (const scopes of [['api:read'], asked]) {
    const body = { request, allow: true, account_id: showId('acct', ada.accountId), scopes };
    const decided = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
    const code = new URL(decided.body.redirect_to).searchParams.get('code') ?? '';
    const tokens = await postForm(service, '/oauth2/token', codeForm(app, code));
    expect(tokens.body.scope).toBe([...scopes, 'offline_access'].join(' '));
  }
});

test('signed out, the right request of a registered app is on the page at once; any other is checked after the sign-in', async () => {
  const { db } = service.context;
  await db
    .insertInto('oauth_clients')
    .values(clientRow({ clientId: 'registered', name: 'Painter', redirects: [redirectUri] }))
    .execute();
  const read = async (app: App, change: Record<string, string> = {}) => [
    ...(await authorize(service, { ...requestOf(app), ...change }, null)).searchParams.keys(),
  ];
  expect(await read(newApp('registered'))).toEqual(['request']);
  const wrong: Record<string, string>[] = [
    { scope: 'admin' },
    { redirect_uri: 'https://evil.example/' },
    { prompt: 'none' },
  ];
  for (const change of wrong) expect(await read(newApp('registered'), change)).toEqual(['resume']);
  await connectApp(service, await signUp(service), painter());
  for (const app of [painter(), newApp('nobody')]) expect(await read(app)).toEqual(['resume']);
});
