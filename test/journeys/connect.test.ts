import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrl as own, redirectUri as redirect, serveDocuments } from '../support/app-documents.ts';
import { createService, type Service } from '../support/harness.ts';
import { signUp, type TestPerson } from '../support/people.ts';

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

/** The client reads the public address in the metadata; tests listen elsewhere. */
const toService: typeof fetch = (input, init) => {
  const url = String(input instanceof Request ? input.url : input).replace(own, service.url);
  return fetch(url, init);
};

type HostStore = { client?: { client_id: string }; url?: URL; tokens?: unknown; verifier?: string };

/** Keeps what a host keeps between its requests. Without a metadata document it registers itself. */
function keeper(document: string | null) {
  const store: HostStore = document === null ? {} : { client: { client_id: document } };
  const provider = {
    redirectUrl: redirect,
    ...(document === null ? {} : { clientMetadataUrl: document }),
    clientMetadata: { client_name: 'Painter', redirect_uris: [redirect] },
    state: () => 'state-1',
    clientInformation: () => store.client,
    saveClientInformation: (client: { client_id: string }) => void (store.client = client),
    tokens: () => store.tokens as never,
    saveTokens: (tokens: unknown) => void (store.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (store.url = url),
    saveCodeVerifier: (verifier: string) => void (store.verifier = verifier),
    codeVerifier: () => store.verifier ?? '',
  } as unknown as OAuthClientProvider;
  return { store, provider };
}

const openAs = ({ token }: TestPerson, url: URL | undefined) =>
  toService(url ?? '', { redirect: 'manual', headers: { authorization: `Bearer ${token}` } });

/** The person opens the page that the client sent the browser to, and allows all that is asked for, or some of it. */
async function allowAsked(person: TestPerson, url: URL | undefined, chosen?: string[]): Promise<URL> {
  const asked = await openAs(person, url);
  const request = new URL(asked.headers.get('location') ?? '', own).searchParams.get('request') ?? '';
  const { scopes, accounts } = (await service.call('GET', `/api/auth/connection?request=${request}`, { as: person }))
    .body;
  const body = { request, allow: true, account_id: accounts[0].id, scopes: chosen ?? scopes };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: person, body });
  return new URL(decided.body.redirect_to);
}

test('the official client asks for reading and ordering, and again when it orders and may only read', async () => {
  const bob = await signUp(service);
  const { store, provider } = keeper(documents.at('painter.json'));
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${own}/mcp`), { authProvider: provider, fetch: toService });
  const first = transport();
  await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  expect(store.url?.searchParams.get('scope')).toContain('api:read api:write');
  await first.finishAuth((await allowAsked(bob, store.url, ['api:read'])).searchParams);
  expect(store.tokens).toMatchObject({ scope: 'api:read offline_access' });
  const earlier = store.tokens as { access_token: string };

  const [client, second] = [new Client({ name: 'host', version: '1' }), transport()];
  await client.connect(second);
  const order = { name: 'open_intake', arguments: { service_family: 'design' } };
  await expect(client.callTool(order)).rejects.toThrow(UnauthorizedError);
  expect(store.url?.searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['api:read', 'api:write']));
  await second.finishAuth((await allowAsked(bob, store.url)).searchParams);
  expect((await client.callTool(order)).isError).toBeUndefined();
  await client.close();

  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: bob })).body;
  expect(connected_apps).toMatchObject([
    { status: 'active', scopes: ['api:read', 'api:write'] },
    { status: 'revoked', scopes: ['api:read'] },
  ]);
  expect((await service.call('GET', '/api/v1/me', { as: earlier.access_token })).status).toBe(401);
});

test('the official client registers itself where that is allowed', async () => {
  const { store, provider } = keeper(null);
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${own}/mcp`), { authProvider: provider, fetch: toService });
  const first = transport();
  await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  expect(store.client?.client_id).toMatch(/^\w{32}$/);
  await first.finishAuth((await allowAsked(await signUp(service), store.url)).searchParams);
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport());
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const order = { name: 'open_intake', arguments: { service_family: 'design' } };
  expect((await client.callTool(order)).isError).toBeUndefined();
  await client.close();
});

test('the official client connects with nothing but the address, a person consents, and ending it ends access', async () => {
  const { store, provider } = keeper(documents.at('painter.json'));
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${own}/mcp`), { authProvider: provider, fetch: toService });
  const first = transport();
  await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow();
  expect(store.url?.href).toContain('/api/auth/oauth2/authorize?');

  const asked = await openAs(ada, store.url);
  expect(asked.status).toBe(302);
  const page = new URL(asked.headers.get('location') ?? '', own);
  expect(page.pathname).toBe('/connect');
  const request = page.searchParams.get('request') ?? '';
  const read = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
  expect(read.body).toMatchObject({ app: { name: 'Painter', checked: true }, scopes: ['api:read', 'api:write'] });
  const body = { request, allow: true, account_id: read.body.accounts[0].id };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
  expect(decided.status).toBe(200);
  const back = new URL(decided.body.redirect_to);
  expect(back.searchParams.get('iss')).toBe(`${own}/api/auth`);

  await first.finishAuth(back.searchParams);
  expect(store.tokens).toMatchObject({
    access_token: expect.stringMatching(/^ato_/),
    refresh_token: expect.stringMatching(/^atf_/),
  });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport());
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: ada })).body;
  expect(connected_apps).toMatchObject([{ app: { name: 'Painter' }, status: 'active', scopes: ['api:read'] }]);
  await service.call('DELETE', `/api/auth/connected-apps/${connected_apps[0].id}`, { as: ada });
  await expect(client.listTools()).rejects.toThrow();
  await client.close();
});
