import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApp, redirectUri, requestOf } from '../../test/support/app-documents.ts';
import { allow, authorize, codeForm, connectApp, postForm } from '../../test/support/apps.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';

const path = '/api/auth/oauth2/register';
const metadata = '/.well-known/oauth-authorization-server';
const right = { client_name: 'Painter', redirect_uris: [redirectUri] };

// Tests read any field of an answer; what OAuth answers is not in the OpenAPI document.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { status: number; body: any };

async function ask(service: Service, at: string, init?: RequestInit): Promise<Answer> {
  const answer = await fetch(service.url + at, init);
  return { status: answer.status, body: await answer.json() };
}

const post = (service: Service, body: unknown, headers = {}) =>
  ask(service, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('where it is not allowed, which is the default', () => {
  let service: Service;
  beforeAll(async () => void (service = await sharedService()));

  test('404 not_found, and the metadata name no address for it', async () => {
    const { status, body } = await post(service, right);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect((await ask(service, metadata)).body.registration_endpoint).toBeUndefined();
    const clients = await service.context.db
      .selectFrom('oauth_clients')
      .where('name', '=', right.client_name)
      .selectAll()
      .execute();
    expect(clients).toEqual([]);
  });
});

describe('where it is allowed', () => {
  let service: Service;
  let ada: TestPerson;
  beforeAll(async () => {
    service = await createService({
      OAUTH_DYNAMIC_REGISTRATION: 'allowed',
      TRUST_PROXY: '127.0.0.1',
      RATE_REGISTER_APP: 'address=3/60',
    });
    ada = await signUp(service);
  });
  afterAll(() => service.close());

  let addresses = 0;
  /** Each test has its own address, so that they do not count for each other. */
  const from = () => ({ 'x-forwarded-for': `10.0.0.${++addresses}` });
  const register = (body: unknown) => post(service, body, from());

  test('201: an app gets an id and no secret, and a person lets it in as one that nobody checked', async () => {
    const { body } = await ask(service, metadata);
    expect(body.registration_endpoint).toBe(`http://localhost:3000${path}`);
    const registered = await register({ ...right, token_endpoint_auth_method: 'client_secret_basic' });
    expect([registered.status, registered.body.client_secret]).toEqual([201, undefined]);
    expect(registered.body).toMatchObject({
      client_name: 'Painter',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
    const app = newApp(registered.body.client_id);
    const request = (await authorize(service, requestOf(app), ada)).searchParams.get('request') ?? '';
    const shown = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
    expect(shown.body.app).toEqual({ name: 'Painter', host: null, checked: false, set_up_by_studio: false });
    const { access_token } = await connectApp(service, ada, app);
    expect((await service.call('GET', '/api/v1/me', { as: access_token })).status).toBe(200);
    const elsewhere = { ...requestOf(app), redirect_uri: 'https://evil.example/callback' };
    expect((await authorize(service, elsewhere, ada)).searchParams.get('error')).toBe('invalid_redirect');
  });

  test('201: what would make an app more than others is not read', async () => {
    const more = {
      skip_consent: true,
      client_id: 'atelier-cli',
      grant_types: ['client_credentials'],
      scope: 'admin',
      jwks_uri: 'http://127.0.0.1/keys.json',
      require_pkce: false,
      user_id: ada.userId,
      reference_id: ada.accountId,
    };
    const { status, body } = await register({ ...right, ...more });
    expect([status, body.client_id === 'atelier-cli']).toEqual([201, false]);
    const row = await service.context.db
      .selectFrom('oauth_clients')
      .selectAll()
      .where('client_id', '=', body.client_id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      client_secret: null,
      user_id: null,
      reference_id: null,
      jwks_uri: null,
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(row.skip_consent).not.toBe(true);
    const { code_challenge: _, ...query } = requestOf(newApp(body.client_id));
    const back = await authorize(service, query, ada);
    expect([back.pathname, back.searchParams.get('error')]).toEqual(['/connect', 'invalid_request']);
  });

  test.each([
    ['that names a site', 'Claude https://evil.example'],
    ['that turns the writing around', 'Painter \u202E'],
    ['of nothing', '  '],
    ['that is no text', { toString: 'x' }],
    ['longer than names are', 'x'.repeat(300)],
  ])('201: a name %s is not shown', async (_, client_name) => {
    const { status, body } = await register({ ...right, client_name });
    expect([status, body.client_name]).toEqual([201, 'An app without a name']);
  });

  test('201: an editor that comes back by its own scheme is let in, at exactly that address', async () => {
    const own = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const redirect_uris = [own, 'http://localhost:8787/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'];
    for (const uris of [[own], redirect_uris]) {
      const { status, body } = await register({ client_name: 'Cursor', redirect_uris: uris, application_type: 'web' });
      expect([status, body.redirect_uris]).toEqual([201, uris]);
      const app = newApp(body.client_id);
      const query = { ...requestOf(app), redirect_uri: own };
      const { back, code, request } = await allow(service, ada, app, { query });
      expect([back?.href.split('?')[0], back?.searchParams.get('state')]).toEqual([own, 'state-1']);
      const shown = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
      expect(shown.body.redirect_host).toBe('cursor://anysphere.cursor-mcp');
      const exchanged = await postForm(service, '/oauth2/token', { ...codeForm(app, code), redirect_uri: own });
      expect([exchanged.status, exchanged.body.token_type]).toEqual([200, 'Bearer']);
      for (const redirect_uri of [`${own}/more`, `${own}?x=1`, 'cursor://evil/oauth/callback', 'vscode://x/y'])
        expect((await authorize(service, { ...query, redirect_uri }, ada)).searchParams.get('error')).toBe(
          'invalid_redirect',
        );
    }
  });

  const refused: [name: string, outcome: string, body: unknown][] = [
    ['without redirects', '400 invalid_redirect_uri', { client_name: 'Painter' }],
    ['with no redirect', '400 invalid_redirect_uri', { ...right, redirect_uris: [] }],
    ['with 21 redirects', '400 invalid_redirect_uri', { ...right, redirect_uris: Array(21).fill(redirectUri) }],
    [
      'with a script beside a right redirect',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: [redirectUri, 'javascript:alert(1)'] },
    ],
    [
      'with the scheme of an unknown program',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: ['evil://callback'] },
    ],
    ['with a script as redirect', '400 invalid_redirect_uri', { ...right, redirect_uris: ['javascript:alert(1)'] }],
    [
      'with a redirect to plain http elsewhere',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: ['http://evil.example/callback'] },
    ],
    [
      'with a redirect that has a fragment',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: [`${redirectUri}#x`] },
    ],
    [
      'with a redirect that is no text',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: [{ href: redirectUri }] },
    ],
    [
      'with a redirect longer than 500 letters',
      '400 invalid_redirect_uri',
      { ...right, redirect_uris: [`${redirectUri}/${'x'.repeat(500)}`] },
    ],
    ['that is a list', '400 invalid_redirect_uri', [right]],
    ['larger than 16 kB', '413 body_too_large', { ...right, padding: 'x'.repeat(17_000) }],
  ];

  test.each(refused)('refused: a registration %s → %s', async (_, outcome, body) => {
    const answer = await register(body);
    const { error } = answer.body;
    expect(`${answer.status} ${error?.code ?? error}`).toBe(outcome);
  });

  test('429 rate_limit_exceeded: an address that registers too many', async () => {
    const headers = from();
    for (let n = 0; n < 3; n++) expect((await post(service, right, headers)).status).toBe(201);
    const { status, body } = await post(service, right, headers);
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  });
});
