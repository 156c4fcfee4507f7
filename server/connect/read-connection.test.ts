import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, redirectUri, requestOf, serveDocuments } from '../../test/support/app-documents.ts';
import { authorize, connectApp } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { addMember, signUp, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

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

const read = async (as: TestPerson, query: Record<string, string>) => {
  const request = (await authorize(service, query, as)).searchParams.get('request') ?? '';
  return service.call('GET', `/api/auth/connection?request=${request}`, { as });
};

test('200: who asks, for what, and the accounts of the person', async () => {
  const app = newApp(documents.at('painter.json'));
  const { status, body } = await read(ada, { ...requestOf(app), scope: 'api:read api:write' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    app: { name: 'Painter', host: new URL(app.clientId).host, checked: true },
    redirect_host: '127.0.0.1',
    scopes: ['api:read', 'api:write'],
    accounts: [{ id: showId('acct', ada.accountId), may_order: true, suspended: false }],
  });
  const member = await addMember(service, ada, 'member');
  expect((await read(member, requestOf(app))).body.accounts[0].may_order).toBe(false);
});

test('200: the account that the app is in comes first, whichever was opened last', async () => {
  const bob = await signUp(service);
  const app = newApp(documents.at('painter.json'));
  const opened = await service.call('POST', '/api/auth/accounts', { as: bob, body: { name: 'Second' } });
  const first = async () => (await read(bob, requestOf(app))).body.accounts[0].id;
  expect([opened.status, await first()]).toEqual([201, opened.body.account.id]);
  await connectApp(service, bob, app);
  expect(await first()).toBe(showId('acct', bob.accountId));
});

test('200: a name that is none is shown as the host', async () => {
  const client_id = documents.at('named.json');
  const client_name = 'Claude https://evil.example \u202E';
  documents.at('named.json', { client_id, client_name, redirect_uris: [redirectUri] });
  const { body } = await read(ada, requestOf(newApp(client_id)));
  expect(body.app.name).toBe(new URL(client_id).host);
});

test('400 invalid_request: a request that was not written here', async () => {
  const { status, body } = await service.call('GET', '/api/auth/connection?request=e30.x', { as: ada });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
