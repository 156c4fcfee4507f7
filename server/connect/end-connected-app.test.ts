import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, serveDocuments } from '../../test/support/app-documents.ts';
import { connectApp, refresh } from '../../test/support/apps.ts';
import { followEvents } from '../../test/support/event-stream.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createJob } from '../../test/support/jobs.ts';
import { addMember, signUp, type TestPerson } from '../../test/support/people.ts';
import { grant } from '../../test/support/plans.ts';
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

const app = () => newApp(documents.at('painter.json'));
const me = async (token: string) => (await service.call('GET', '/api/v1/me', { as: token })).status;
const newest = async (person: TestPerson) =>
  (await service.call('GET', '/api/auth/connected-apps', { as: person })).body.connected_apps[0];
const end = (id: string, as: TestPerson) => service.call('DELETE', `/api/v1/connected-apps/${id}`, { as });

test('200: an owner ends the app of a member at once, with its stream and its tokens; again changes nothing', async () => {
  const member = await addMember(service, ada, 'member');
  const painter = app();
  const tokens = await connectApp(service, member, painter);
  const stream = await followEvents(service, tokens.access_token);
  const { id } = await newest(member);
  const ended = await end(id, ada);
  expect([ended.status, ended.body.connected_app.status]).toEqual([200, 'revoked']);
  expect(await me(tokens.access_token)).toBe(401);
  expect((await refresh(service, painter, tokens.refresh_token)).body.error).toBe('invalid_grant');
  const began = performance.now();
  for (let entry = await stream.next(); entry !== null; entry = await stream.next());
  expect(performance.now() - began).toBeLessThan(20_000);
  const again = await end(id, ada);
  expect(again.body.connected_app.revoked_at).toBe(ended.body.connected_app.revoked_at);
  const { events } = (await service.call('GET', '/api/v1/events?limit=100', { as: ada })).body;
  const ofApp = events.filter((event: { data: { api_key_id?: string } }) => event.data.api_key_id === id);
  expect(ofApp.map(({ type }: { type: string }) => type)).toEqual(['api_key.created', 'api_key.revoked']);
});

test('404 connected_app_not_found: of another account, of another admin’s, and a key', async () => {
  const admin = await addMember(service, ada, 'admin');
  await connectApp(service, ada, app());
  const { id } = await newest(ada);
  const stranger = await signUp(service);
  for (const as of [stranger, admin]) {
    const { status, body } = await end(id, as);
    expect([status, body.error.code]).toEqual([404, 'connected_app_not_found']);
  }
  expect((await service.call('DELETE', `/api/v1/api-keys/${id}`, { as: ada })).status).toBe(404);
  expect((await service.call('POST', `/api/v1/api-keys/${id}/rotate`, { as: ada, body: {} })).status).toBe(404);
});

const ways: [name: string, end: (member: TestPerson, path: string) => Promise<unknown>][] = [
  ['is removed', (_, path) => service.call('DELETE', path, { as: ada })],
  [
    'is removed and their keys taken over',
    (_, path) => service.call('DELETE', path, { as: ada, body: { take_over: true } }),
  ],
  ['is demoted', (_, path) => service.call('PATCH', path, { as: ada, body: { role: 'member' } })],
  [
    'is demoted and their keys taken over',
    (_, path) => service.call('PATCH', path, { as: ada, body: { role: 'member', take_over: true } }),
  ],
  [
    'is deleted',
    (member) => service.call('POST', '/api/auth/delete', { as: member, body: { password: member.password } }),
  ],
];

test.each(ways)('the apps of somebody who %s end: nobody inherits a grant', async (_, way) => {
  const admin = await addMember(service, ada, 'admin');
  const { members } = (await service.call('GET', '/api/auth/members', { as: ada })).body;
  const { id } = members.find(({ user }: { user: { id: string } }) => user.id === showId('user', admin.userId));
  const tokens = await connectApp(service, admin, app(), { scopes: ['api:read', 'api:write'] });
  expect(await me(tokens.access_token)).toBe(200);
  await way(admin, `/api/auth/members/${id}`);
  expect(await me(tokens.access_token)).toBe(401);
});

test('an app whose access ended learns that it ended, and where to ask again', async () => {
  const tokens = await connectApp(service, ada, app());
  await end((await newest(ada)).id, ada);
  const { status, headers } = await service.call('POST', '/mcp', {
    as: tokens.access_token,
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  const door = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"';
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer error="invalid_token", error_description="The access was ended", scope="api:read api:write", ${door}`,
  ]);
  const bare = await service.call('POST', '/mcp', { as: null, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  expect(bare.headers.get('www-authenticate')).toBe(`Bearer scope="api:read api:write", ${door}`);
});

test('an app that only reads is asked to step up, over MCP and the API', async () => {
  const { access_token: as } = await connectApp(service, ada, app());
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'open_intake', arguments: {} } };
  const headers = { accept: 'application/json, text/event-stream' };
  for (const answer of [
    await service.call('POST', '/mcp', { as, body, headers }),
    await service.call('POST', '/api/v1/intake/sessions', { as, body: {} }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(answer.headers.get('www-authenticate')).toContain('scope="api:read api:write"');
  }
});

test('what an app makes names the app', async () => {
  const { access_token: as } = await connectApp(service, ada, app(), { scopes: ['api:read', 'api:write'] });
  const { body } = await service.call('POST', '/api/v1/intake/sessions', { as, body: { service_family: 'design' } });
  const { id } = await newest(ada);
  expect(body.intake_session.created_by).toEqual({ kind: 'app', id, name: 'Painter' });
  const audit = await service.call('GET', '/api/v1/audit', { as: ada });
  expect(audit.body.audit_entries[0]).toMatchObject({ action: 'intake.opened', created_by: { kind: 'app', id } });
  await grant(service, ada, 'studio');
  const { body: created } = await createJob(service, as);
  const events = await service.call('GET', `/api/v1/jobs/${created.job.id}/events`, { as });
  expect(events.body.events).toMatchObject([{ type: 'job.created', created_by: { kind: 'app', id, name: 'Painter' } }]);
});
