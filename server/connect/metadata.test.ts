import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, publicUrl, requestOf, serveDocuments } from '../../test/support/app-documents.ts';
import { allow, authorize, codeForm, postForm } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { sendMessage } from '../../test/support/mcp.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';

let service: Service;
let ada: TestPerson;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  service = await createService({ WEBHOOK_ALLOW: '127.0.0.1', OAUTH_DYNAMIC_REGISTRATION: 'allowed' });
  ada = await signUp(service);
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  await service.close();
});

const wellKnown = (name: string, path: string) => `/.well-known/oauth-${name}${path}`;
const read = async (path: string) => {
  const answer = await fetch(service.url + path, { headers: { origin: 'https://inspector.example' } });
  return { headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};
const painter = () => newApp(documents.at('painter.json'));

test.each(['/mcp', '/api/v1', ''])('the metadata of the resource %j name the address that was asked', async (path) => {
  const { body } = await read(wellKnown('protected-resource', path));
  expect(body).toMatchObject({
    resource: publicUrl + path,
    authorization_servers: [`${publicUrl}/api/auth`],
    scopes_supported: ['api:read', 'api:write'],
  });
});

test('the challenge of the API leads to its metadata, and names an error only for a token that was sent', async () => {
  const challengeOf = async (as: string | null) =>
    (await service.call('GET', '/api/v1/me', { as })).headers.get('www-authenticate');
  const door = `scope="api:read api:write", resource_metadata="${publicUrl}${wellKnown('protected-resource', '/api/v1')}"`;
  expect(await challengeOf(null)).toBe(`Bearer ${door}`);
  const unknown = 'error="invalid_token", error_description="The credential is not known"';
  for (const as of [`ato_${'x'.repeat(32)}`, 'atl_wrong', 'no.session'])
    expect(await challengeOf(as)).toBe(`Bearer ${unknown}, ${door}`);
  const desk = await service.call('GET', '/api/operator/v1/jobs', { as: 'atw_wrong' });
  expect(desk.headers.get('www-authenticate')).toBe(`Bearer ${unknown}`);
});

test.each(['/mcp', '/mcp/', '/api/v1', '/api/v1/', '', '/'])(
  'a token for the resource %j works at each of our addresses, and refreshes under any of their names',
  async (path) => {
    const app = painter();
    const resource = publicUrl + path;
    const { code } = await allow(service, ada, app, { query: { resource } });
    const { body } = await postForm(service, '/oauth2/token', { ...codeForm(app, code), resource });
    const as = body.access_token ?? '';
    expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(200);
    expect((await sendMessage(service, as, { method: 'tools/list' })).status).toBe(200);
    const form = { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: body.refresh_token ?? '' };
    const again = await postForm(service, '/oauth2/token', { ...form, resource: `${publicUrl}/api/v1` });
    expect([again.status, again.body.token_type]).toEqual([200, 'Bearer']);
  },
);

/** Where the metadata stand, and the issuer that they must name: RFC 8414, 3.3. */
const issuers = [
  ['', publicUrl],
  ['/api/auth', `${publicUrl}/api/auth`],
] as const;

test.each(issuers)(
  'the issuer of the metadata at %j is that of its address, and of its answers',
  async (path, issuer) => {
    const { body } = await read(wellKnown('authorization-server', path));
    expect(body).toMatchObject({ issuer, authorization_response_iss_parameter_supported: true });
    const endpoint = new URL(String(body.authorization_endpoint)).pathname;
    const app = painter();
    const ask = async (query: Record<string, string>, as: TestPerson | null = ada) => {
      const headers: Record<string, string> = as === null ? {} : { authorization: `Bearer ${as.token}` };
      const search = new URLSearchParams({ ...requestOf(app), ...query });
      const answer = await fetch(`${service.url}${endpoint}?${search}`, { redirect: 'manual', headers });
      return new URL(answer.headers.get('location') ?? '', publicUrl);
    };
    const decide = async (page: URL, choice: object) => {
      const body = { request: page.searchParams.get('request') ?? '', ...choice };
      const decided = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
      return new URL(decided.body.redirect_to);
    };
    const page = await ask({});
    const request = page.searchParams.get('request') ?? '';
    const { accounts } = (await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada })).body;

    const allowed = await decide(page, { allow: true, account_id: accounts[0].id });
    expect(allowed.searchParams.get('iss')).toBe(issuer);
    const code = allowed.searchParams.get('code') ?? '';
    expect((await postForm(service, '/oauth2/token', codeForm(app, code))).status).toBe(200);
    expect((await decide(await ask({}), { allow: false })).searchParams.get('iss')).toBe(issuer);
    // The app is let in now, so its errors come at once.
    const faults = { prompt: 'none', scope: 'admin', code_challenge_method: 'plain' };
    for (const [name, value] of Object.entries(faults))
      expect((await ask({ [name]: value })).searchParams.get('iss')).toBe(issuer);
    const tokenInAddress = await ask({ response_type: 'token' });
    expect(new URLSearchParams(tokenInAddress.hash.slice(1)).get('iss')).toBe(issuer);

    const signedOut = await ask({}, null);
    const resumed = await authorize(service, signedOut.searchParams.get('resume') ?? '', ada);
    expect((await decide(resumed, { allow: false })).searchParams.get('iss')).toBe(issuer);
  },
);

test('pages of other origins read the metadata and fetch tokens; they reach nothing else of OAuth', async () => {
  const origin = { origin: 'https://inspector.example' };
  const preflight = { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' };
  const open = [
    ...['/mcp', '/api/v1', ''].map((path) => wellKnown('protected-resource', path)),
    ...['', '/api/auth'].map((path) => wellKnown('authorization-server', path)),
    ...['token', 'revoke', 'register'].map((name) => `/api/auth/oauth2/${name}`),
  ];
  for (const path of open) {
    const preflighted = await fetch(service.url + path, { method: 'OPTIONS', headers: preflight });
    expect([path, preflighted.status, preflighted.headers.get('access-control-allow-headers')]).toEqual([
      path,
      204,
      '*',
    ]);
    const method = path.startsWith('/api') ? 'POST' : 'GET';
    const { headers } = await fetch(service.url + path, { method, headers: origin });
    expect(headers.get('access-control-allow-origin'), path).toBe('*');
    expect(headers.get('access-control-allow-credentials'), path).toBeNull();
  }
  for (const path of ['/api/auth/oauth2/authorize', '/api/auth/device/code', '/api/auth/connection/decide', '/mcp']) {
    const preflighted = await fetch(service.url + path, { method: 'OPTIONS', headers: preflight });
    expect([path, preflighted.status, preflighted.headers.get('access-control-allow-origin')]).toEqual([
      path,
      405,
      null,
    ]);
    const { headers } = await fetch(service.url + path, { headers: origin, redirect: 'manual' });
    expect(headers.get('access-control-allow-origin'), path).toBeNull();
  }
});
