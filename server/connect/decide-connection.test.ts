import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, requestOf, serveDocuments } from '../../test/support/app-documents.ts';
import { allow, authorize, connectApp, postForm, refresh } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { addMember, signUp, type TestPerson } from '../../test/support/people.ts';
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
const appsOf = async (person: TestPerson) =>
  (await service.call('GET', '/api/auth/connected-apps', { as: person })).body.connected_apps;
const request = async (as: TestPerson) =>
  (await authorize(service, requestOf(painter()), as)).searchParams.get('request') ?? '';
const decide = (as: TestPerson, body: object) => service.call('POST', '/api/auth/connection/decide', { as, body });

test('200: the app gets access, the account an event, and the person a mail', async () => {
  const ada = await signUp(service);
  const tokens = await connectApp(service, ada, painter(), { days: 7 });
  expect(tokens).toMatchObject({ expires_in: 3600, scope: 'api:read offline_access' });
  const [app] = await appsOf(ada);
  expect(app).toMatchObject({ status: 'active', scopes: ['api:read'], app: { name: 'Painter' }, jobs: 0 });
  const me = await service.call('GET', '/api/v1/me', { as: tokens.access_token });
  expect(me.body.auth).toEqual({ method: 'app', app: { id: app.id, name: 'Painter' } });
  const days = (Date.parse(app.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  const { events } = (await service.call('GET', '/api/v1/events', { as: ada })).body;
  expect(events.at(-1)).toMatchObject({ type: 'api_key.created', data: { api_key_id: app.id } });
  const mail = service.emails.find(({ to }) => to === ada.email);
  expect(mail?.text).toContain(`You let the app "Painter" of ${new URL(documents.at('')).host} into the account`);
  expect((await service.call('GET', '/api/v1/api-keys', { as: ada })).body.api_keys).toEqual([]);
});

test('200: a denial goes back to the app and lets nobody in', async () => {
  const ada = await signUp(service);
  const { status, body } = await decide(ada, { request: await request(ada), allow: false });
  expect(status).toBe(200);
  const back = new URL(body.redirect_to);
  expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'state-1']);
  expect(await appsOf(ada)).toEqual([]);
});

test('200: a grant that was never used ends with the next one of the same app', async () => {
  const ada = await signUp(service);
  await allow(service, ada, painter());
  await allow(service, ada, painter());
  expect((await appsOf(ada)).map(({ status }: { status: string }) => status)).toEqual(['active', 'revoked']);
});

const ordering = { scopes: ['api:read', 'api:write'] };
const used = async (person: TestPerson, app = painter(), choice = {}) => {
  const tokens = await connectApp(service, person, app, choice);
  expect((await service.call('GET', '/api/v1/me', { as: tokens.access_token })).status).toBe(200);
  return tokens;
};

test('200: a grant that does more ends the lesser one of the same app, person and account, with its tokens', async () => {
  const ada = await signUp(service);
  const colleague = await addMember(service, ada, 'admin');
  const [app, other] = [painter(), newApp(documents.at('other.json'))];
  const lesser = await used(ada, app);
  await used(ada, other);
  await used(colleague, painter());
  await used(ada, painter(), ordering);
  expect((await appsOf(ada)).map(({ status }: { status: string }) => status)).toEqual(['active', 'active', 'revoked']);
  expect((await appsOf(colleague))[0].status).toBe('active');
  expect((await service.call('GET', '/api/v1/me', { as: lesser.access_token })).status).toBe(401);
  expect((await refresh(service, app, lesser.refresh_token)).body.error).toBe('invalid_grant');
});

test('200: an app on a second machine, which asks for as much or less, leaves the first alone', async () => {
  const ada = await signUp(service);
  await used(ada, painter(), ordering);
  await used(ada, painter(), ordering);
  await used(ada);
  const active = (await appsOf(ada)).filter(({ status }: { status: string }) => status === 'active');
  expect(active).toHaveLength(3);
});

test('200: a request is asked for each time, however often the app was let in', async () => {
  const ada = await signUp(service);
  await connectApp(service, ada, painter());
  const { rows } = await sql`select from oauth_consents`.execute(service.context.db);
  expect(rows).toEqual([]);
});

test('403 limit_reached: a person has at most 20 connected apps', async () => {
  const ada = await signUp(service);
  for (let n = 0; n < 20; n++) await allow(service, ada, newApp(documents.at(`app${n}.json`)));
  const { decided } = await allow(service, ada, newApp(documents.at('app20.json')));
  expect([decided.status, decided.body.error.code]).toEqual([403, 'limit_reached']);
});

test('403 account_suspended: no app is let into a suspended account', async () => {
  const ada = await signUp(service);
  await sql`
    update accounts set suspended_since = now(), suspension_reason = 'x', suspended_by = ${ada.userId}
    where id = ${ada.accountId}`.execute(service.context.db);
  expect((await allow(service, ada, painter())).decided.body.error.code).toBe('account_suspended');
});

test('403 role_required: a member cannot let an app order', async () => {
  const member = await addMember(service, await signUp(service), 'member');
  const orders = await allow(service, member, painter(), { scopes: ['api:read', 'api:write'] });
  expect(orders.decided.body.error.code).toBe('role_required');
  const read = await allow(service, member, painter());
  expect(read.decided.status).toBe(200);
});

test('404 account_not_found: the account of others', async () => {
  const [ada, other] = [await signUp(service), await signUp(service)];
  const { decided } = await allow(service, ada, painter(), { accountId: other.accountId });
  expect([decided.status, decided.body.error.code]).toEqual([404, 'account_not_found']);
});

test('422 invalid_request: a text that is no request, and one without an account', async () => {
  const ada = await signUp(service);
  expect((await decide(ada, { request: 'x', allow: true })).status).toBe(422);
  expect((await decide(ada, { request: await request(ada), allow: true })).status).toBe(422);
});

const device = (form = {}) =>
  postForm(service, '/device/code', { client_id: 'atelier-cli', scope: 'api:read api:write', ...form });
const poll = (device_code: string) =>
  postForm(service, '/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'atelier-cli',
    device_code,
  });

test('200: the command line is let in by its code, once, with what the person allows', async () => {
  const ada = await signUp(service);
  const { body } = await device();
  expect(body).toMatchObject({ user_code: expect.stringMatching(/^[BCDFGHJ-NP-TV-XZ]{8}$/), expires_in: 600 });
  expect((await poll(body.device_code ?? '')).body.error).toBe('authorization_pending');
  const { body: shown } = await service.call('GET', `/api/auth/device?code=${body.user_code}`, { as: ada });
  const choice = { allow: true, account_id: showId('acct', ada.accountId), scopes: ['api:read'] };
  expect((await decide(await signUp(service), { request: shown.request, ...choice })).status).toBe(422);
  expect((await decide(ada, { request: shown.request, ...choice })).body).toEqual({ redirect_to: null });
  expect((await decide(ada, { request: shown.request, ...choice })).status).toBe(422);
  await sleep(5_100);
  const tokens = await poll(body.device_code ?? '');
  expect(tokens.status).toBe(200);
  const me = await service.call('GET', '/api/v1/me', { as: tokens.body.access_token ?? '' });
  expect([me.status, me.body.scopes]).toEqual([200, ['api:read']]);
  expect((await poll(body.device_code ?? '')).status).toBe(400);
});

test('200: a denied command line gets nothing', async () => {
  const ada = await signUp(service);
  const { body } = await device();
  const { body: shown } = await service.call('GET', `/api/auth/device?code=${body.user_code}`, { as: ada });
  expect((await decide(ada, { request: shown.request, allow: false })).status).toBe(200);
  const answer = await poll(body.device_code ?? '');
  expect([answer.status, answer.body.error]).toEqual([400, 'access_denied']);
});

test('a code is only for the command line', async () => {
  const answer = await device({ client_id: documents.at('painter.json') });
  expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized_client']);
  expect((await device({ resource: 'https://other.example/mcp' })).body.error).toBe('invalid_target');
});

test('422 invalid_request: scopes that the app or the command line did not ask for', async () => {
  const ada = await signUp(service);
  const { body: waiting } = await device({ scope: 'api:read' });
  const { body: shown } = await service.call('GET', `/api/auth/device?code=${waiting.user_code}`, { as: ada });
  const more = { allow: true, account_id: showId('acct', ada.accountId), ...ordering };
  for (const appRequest of [await request(ada), shown.request]) {
    const { status, body } = await decide(ada, { request: appRequest, ...more });
    expect([status, body.error?.details[0].location]).toEqual([422, '/scopes']);
  }
  expect(await appsOf(ada)).toEqual([]);
});

test('422 invalid_request: a command line whose code is over', async () => {
  const ada = await signUp(service);
  const { body } = await device();
  const { body: shown } = await service.call('GET', `/api/auth/device?code=${body.user_code}`, { as: ada });
  await sql`update oauth_device_codes set expires_at = now() - interval '1 ms' where user_code = ${body.user_code}`.execute(
    service.context.db,
  );
  const choice = { request: shown.request, allow: true, account_id: showId('acct', ada.accountId) };
  expect((await decide(ada, choice)).body.error?.details[0].location).toBe('/request');
  expect(await appsOf(ada)).toEqual([]);
});
