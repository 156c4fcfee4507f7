import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxStudioApps } from '../../contract/desk/studio-apps.ts';
import { newApp, redirectUri, requestOf } from '../../test/support/app-documents.ts';
import { authorize, connectApp, createStudioApp, endStudioApp, listStudioApps } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let owner: TestPerson;
// Of its own: the cap is one of the whole studio.
beforeAll(async () => {
  service = await createService();
  owner = await makeOperator(service);
});
afterAll(() => service.close());

const create = (body?: object, as = owner, key?: string) => createStudioApp(service, as.token, body, key);

test('201: a person lets the app in, and sees that the studio set it up', async () => {
  const ada = await signUp(service);
  const { status, body } = await create({ name: '  Cursor ' });
  expect(status).toBe(201);
  expect(body.app).toEqual({
    id: expect.stringMatching(/^app_\w{26}$/),
    name: 'Cursor',
    redirect_uris: [redirectUri],
    status: 'active',
    connections: 0,
    created_by: { kind: 'user', id: showId('user', owner.userId), name: expect.any(String) },
    created_at: expect.any(String),
    ended_at: null,
  });
  const app = newApp(body.app.id);
  const request = (await authorize(service, requestOf(app), ada)).searchParams.get('request') ?? '';
  const shown = await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada });
  const words = { name: 'Cursor', host: null, checked: true, set_up_by_studio: true };
  expect(shown.body.app).toEqual(words);
  const { access_token } = await connectApp(service, ada, app, { scopes: ['api:read', 'api:write'] });
  expect((await service.call('GET', '/api/v1/me', { as: access_token })).status).toBe(200);
  const connected = await service.call('GET', '/api/auth/connected-apps', { as: ada });
  expect(connected.body.connected_apps[0].app).toEqual(words);
  const mail = service.emails.find(({ to, subject }) => to === ada.email && subject === 'You connected an app');
  expect(mail?.text).toContain('You let the app "Cursor", which the studio set up, into the account');
  expect((await listStudioApps(service, owner.token)).body.apps[0].connections).toBe(1);
});

test('an app of the studio is a public client: it needs a verifier, and comes back only where it was registered', async () => {
  const ada = await signUp(service);
  const app = newApp((await create()).body.app.id);
  const { code_challenge: _, ...bare } = requestOf(app);
  expect((await authorize(service, bare, ada)).searchParams.get('error')).toBe('invalid_request');
  const elsewhere = { ...requestOf(app), redirect_uri: 'https://evil.example/callback' };
  expect((await authorize(service, elsewhere, ada)).searchParams.get('error')).toBe('invalid_redirect');
  const otherPort = { ...requestOf(app), redirect_uri: 'http://127.0.0.1:4711/callback' };
  expect((await authorize(service, otherPort, ada)).searchParams.has('request')).toBe(true);
});

test('201: the audit names the app and the owner', async () => {
  const { body } = await create({ name: 'Audited' });
  const { audit_entries } = (
    await service.call('GET', `/api/operator/v1/audit?subject=${body.app.id}`, { as: owner.token })
  ).body;
  expect(audit_entries).toMatchObject([
    { action: 'app.created', created_by: { id: showId('user', owner.userId) }, details: { name: 'Audited' } },
  ]);
});

test('201: a repeat with the same Idempotency-Key registers nothing', async () => {
  const [first, again] = [await create({}, owner, 'key-of-app'), await create({}, owner, 'key-of-app')];
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect((await create({ name: 'Another' }, owner, 'key-of-app')).body.error.code).toBe('idempotency_key_conflict');
});

const refused: [what: string, body: object, location: string][] = [
  ['no redirect', { redirect_uris: [] }, '/redirect_uris'],
  ['21 redirects', { redirect_uris: Array.from({ length: 21 }, (_, n) => `${redirectUri}/${n}`) }, '/redirect_uris'],
  ['the same redirect twice', { redirect_uris: [redirectUri, redirectUri] }, '/redirect_uris'],
  ['a script', { redirect_uris: [redirectUri, 'javascript:alert(1)'] }, '/redirect_uris/1'],
  ['plain http elsewhere', { redirect_uris: ['http://evil.example/callback'] }, '/redirect_uris/0'],
  ['a fragment', { redirect_uris: [`${redirectUri}#x`] }, '/redirect_uris/0'],
  ['a password', { redirect_uris: ['https://a:b@host.example/'] }, '/redirect_uris/0'],
  ['a redirect longer than 500 letters', { redirect_uris: [`${redirectUri}/${'x'.repeat(500)}`] }, '/redirect_uris/0'],
  ['a name with a link', { name: 'Go to www.evil.example' }, '/name'],
  ['a name that turns the writing around', { name: 'Painter \u202E' }, '/name'],
  ['a secret', { client_secret: 'x' }, '/client_secret'],
];

test.each(refused)('422 invalid_request: an app with %s', async (_, body, location) => {
  const { status, body: answer } = await create(body);
  expect([status, answer.error.code]).toEqual([422, 'invalid_request']);
  expect(answer.error.details.map((detail: { location: string }) => detail.location)).toContain(location);
});

test('403: only owners list, register and end apps', async () => {
  const { body } = await create();
  for (const role of ['maker', 'reviewer', 'lead'] as const) {
    const { token } = await makeOperator(service, role);
    for (const answer of [
      await listStudioApps(service, token),
      await createStudioApp(service, token),
      await endStudioApp(service, token, body.app.id),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([403, 'role_required']);
  }
});

test('403 limit_reached: of two owners at once one registers the last app, and an ended one makes room', async () => {
  const second = await makeOperator(service);
  const { db } = service.context;
  const { apps } = (await listStudioApps(service, owner.token, '?limit=100')).body;
  for (let n = apps.length; n < maxStudioApps - 1; n++) await create({ name: `App ${n}` });
  const { locked, release } = gates();
  const waiting = db.transaction().execute(async (trx) => {
    await trx.selectFrom('people').select('id').where('id', 'in', [owner.userId, second.userId]).forUpdate().execute();
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const racing = Promise.all([create({ name: 'One' }), create({ name: 'Two' }, second)]);
  await untilBlocked(db, 2);
  release.resolve();
  await waiting;
  const answers = await racing;
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  const lost = answers.find(({ status }) => status === 403);
  expect(lost?.body.error).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('50') });
  expect(lost?.body.error.action).toContain('/api/operator/v1/apps');
  await endStudioApp(service, owner.token, answers.find(({ status }) => status === 201)?.body.app.id);
  expect((await create()).status).toBe(201);
});

const gates = () => ({ locked: Promise.withResolvers<void>(), release: Promise.withResolvers<void>() });

test('401: an owner who is removed while the request waits registers nothing', async () => {
  const leaving = await makeOperator(service);
  const { db } = service.context;
  let answer: Promise<{ status: number }> | null = null;
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('people').set({ operator_role: null }).where('id', '=', leaving.userId).execute();
    answer = create({ name: 'Left behind' }, leaving);
    await Promise.race([untilBlocked(db), answer]);
  });
  expect((await answer!).status).toBe(401);
  const { apps } = (await listStudioApps(service, owner.token, '?limit=100')).body;
  expect(apps.map(({ name }: { name: string }) => name)).not.toContain('Left behind');
});
