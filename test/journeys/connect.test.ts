import { Client, StreamableHTTPClientTransport, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrl as own, redirectUri as redirect, serveDocuments } from '../support/app-documents.ts';
import { createService, type Service } from '../support/harness.ts';
import { signUp, type TestPerson } from '../support/people.ts';

let service: Service;
let ada: TestPerson;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  service = await createService({ WEBHOOK_ALLOW: '127.0.0.1' });
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

/** Keeps what a host keeps between its requests. */
function keeper(clientId: string) {
  const kept: { url?: URL; tokens?: unknown; verifier?: string } = {};
  const provider = {
    redirectUrl: redirect,
    clientMetadataUrl: clientId,
    clientMetadata: { client_name: 'Painter', redirect_uris: [redirect] },
    state: () => 'state-1',
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.url = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  } as unknown as OAuthClientProvider;
  return { kept, provider };
}

test('the official client connects with nothing but the address, a person consents, and ending it ends access', async () => {
  const { kept, provider } = keeper(documents.at('painter.json'));
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${own}/mcp`), { authProvider: provider, fetch: toService });
  const first = transport();
  await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow();
  expect(kept.url?.href).toContain('/api/auth/oauth2/authorize?');

  const asked = await toService(kept.url ?? '', { redirect: 'manual' });
  expect(asked.status).toBe(302);
  const page = new URL(asked.headers.get('location') ?? '', own);
  expect(page.pathname).toBe('/connect');
  const request = page.searchParams.get('request') ?? '';
  const read = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
  expect(read.body).toMatchObject({ app: { name: 'Painter', checked: true }, scopes: ['api:read'] });
  const body = { request, allow: true, account_id: read.body.accounts[0].id };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
  expect(decided.status).toBe(200);
  const back = new URL(decided.body.redirect_to);
  expect(back.searchParams.get('iss')).toBe(`${own}/api/auth`);

  await first.finishAuth(back.searchParams);
  expect(kept.tokens).toMatchObject({
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
