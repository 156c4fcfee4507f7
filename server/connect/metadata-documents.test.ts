import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, redirectUri, requestOf, serveDocuments } from '../../test/support/app-documents.ts';
import { allow, authorize, codeForm, connectApp, postForm, refresh } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { deleteOldTokens } from './delete-old-tokens.ts';

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

const reads = (name: string) => documents.asked.filter((path) => path === `/${name}`).length;
const clients = async () => {
  const rows = await service.context.db.selectFrom('oauth_clients').select('client_id').execute();
  return rows.map(({ client_id }) => client_id);
};
const ask = (client_id: string, as: TestPerson | null = ada) => authorize(service, requestOf(newApp(client_id)), as);

test('a document is read once a day', async () => {
  const client_id = documents.at('daily.json');
  for (let n = 0; n < 3; n++) await ask(client_id);
  expect(reads('daily.json')).toBe(1);
  await olderBy('25 hours');
  await ask(client_id);
  expect(reads('daily.json')).toBe(2);
});

test('somebody who is not signed in makes the service read and store nothing', async () => {
  const client_id = documents.at('strange.json');
  const query = { ...requestOf(newApp(client_id)), prompt: 'none' };
  const page = await authorize(service, query, null);
  expect(page.pathname).toBe('/connect');
  expect(Object.fromEntries(new URLSearchParams(page.searchParams.get('resume') ?? ''))).toEqual(query);
  const form = { client_id, code: 'x', code_verifier: 'x'.repeat(43), redirect_uri: 'http://127.0.0.1/callback' };
  for (const grant_type of ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'])
    await postForm(service, '/oauth2/token', {
      ...form,
      grant_type,
      refresh_token: `atf_${'x'.repeat(43)}`,
      device_code: 'x'.repeat(40),
    });
  expect([reads('strange.json'), (await clients()).includes(client_id)]).toEqual([0, false]);
});

const olderBy = (age: string) =>
  sql`update oauth_clients set updated_at = now() - ${age}::interval`.execute(service.context.db);

test('an app that is known can connect and refresh while its document cannot be read, for a week', async () => {
  const [client_id, app] = [documents.at('known.json'), newApp(documents.at('known.json'))];
  const tokens = await connectApp(service, ada, app);
  documents.at('known.json', {}, '503');
  await olderBy('6 days');
  expect((await ask(client_id)).searchParams.has('request')).toBe(true);
  expect((await refresh(service, app, tokens.refresh_token)).status).toBe(200);
  expect(reads('known.json')).toBe(2);
  await olderBy('8 days');
  expect((await ask(client_id)).searchParams.get('error')).toBe('unreadable_document');
});

test('an app whose document was taken back is not known', async () => {
  const client_id = documents.at('taken-back.json');
  await ask(client_id);
  documents.at('taken-back.json', {}, '404');
  await olderBy('25 hours');
  expect((await ask(client_id)).searchParams.get('error')).toBe('unreadable_document');
});

const methods: [fits: boolean, change: object][] = [
  [true, {}],
  [true, { token_endpoint_auth_method: 'none' }],
  // What ChatGPT publishes.
  [
    true,
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  ],
  [true, { token_endpoint_auth_methods_supported: ['none'] }],
  [true, { token_endpoint_auth_method: 'none', token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
  [false, { token_endpoint_auth_method: 'client_secret_post' }],
  [false, { token_endpoint_auth_method: 'private_key_jwt' }],
  [false, { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
  [false, { token_endpoint_auth_method: 'client_secret_post', token_endpoint_auth_methods_supported: [] }],
];

test.each(methods)('a document fits if its app can come without a secret: %s for %j', async (fits, change) => {
  const bob = await signUp(service);
  const client_id = documents.at(`method-${methods.findIndex(([, other]) => other === change)}.json`);
  documents.at(new URL(client_id).pathname.slice(1), { client_id, redirect_uris: [redirectUri], ...change });
  if (fits) expect(await connectApp(service, bob, newApp(client_id))).toMatchObject({ token_type: 'Bearer' });
  else expect((await ask(client_id, bob)).searchParams.get('error')).toBe('unreadable_document');
});

test('an app that sends an assertion all the same is let in as the public app that its document allows', async () => {
  const client_id = documents.at('by-key.json');
  const token_endpoint_auth_methods_supported = ['none', 'private_key_jwt'];
  const token_endpoint_auth_method = 'private_key_jwt';
  const document = { client_id, token_endpoint_auth_method, token_endpoint_auth_methods_supported };
  documents.at('by-key.json', { ...document, redirect_uris: [redirectUri] });
  const app = newApp(client_id);
  const assertion = {
    client_assertion: 'e30.e30.x',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
  const { code } = await allow(service, ada, app);
  const { status, body } = await postForm(service, '/oauth2/token', { ...codeForm(app, code), ...assertion });
  expect([status, body.token_type]).toEqual([200, 'Bearer']);
  const form = { grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token ?? '', ...assertion };
  expect((await postForm(service, '/oauth2/token', form)).status).toBe(200);
});

test('an address without a document that fits is not asked again for a minute', async () => {
  const client_id = documents.at('other-name.json', { client_id: 'https://other.example/app.json' });
  for (let n = 0; n < 3; n++) expect((await ask(client_id)).searchParams.get('error')).toBe('unreadable_document');
  expect(reads('other-name.json')).toBe(1);
});

test('requests for one document at once wait for one reading', async () => {
  const silent = await serveDocuments();
  const address = silent.at('popular.json', '', 'silence');
  const pending = [ask(address), ask(address)];
  for (const name of ['first', 'second', 'third']) await ask(documents.at(`${name}.json`));
  expect(silent.asked).toHaveLength(1);
  silent.close();
  await Promise.all(pending);
});

test('a host that does not answer holds three readings, and keeps nobody from another host', async () => {
  const silent = await serveDocuments();
  const address = (n: number) => silent.at(`${n}.json`, '', 'silence');
  const pending = [1, 2, 3].map((n) => ask(address(n)));
  await expect.poll(() => silent.asked.length).toBe(3);
  expect((await ask(address(4))).searchParams.get('error')).toBe('unreadable_document');
  expect((await ask(documents.at('meanwhile.json'))).searchParams.has('request')).toBe(true);
  expect(silent.asked).toHaveLength(3);
  silent.close();
  await Promise.all(pending);
});

test('an app that nobody let in is forgotten after two days, another one is not', async () => {
  const [curious, used] = [documents.at('curious.json'), documents.at('used.json')];
  await ask(curious);
  await connectApp(service, ada, newApp(used));
  await olderBy('49 hours');
  await deleteOldTokens(service.context.db, new AbortController().signal);
  const left = await clients();
  expect([left.includes(curious), left.includes(used)]).toEqual([false, true]);
});
