import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, serveDocuments } from '../../test/support/app-documents.ts';
import { connectApp } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { addMember, signUp } from '../../test/support/people.ts';

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

test('200: everybody ends their own; 404 connected_app_not_found: nobody those of others, not even an owner', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  const { access_token } = await connectApp(service, member, newApp(documents.at('painter.json')));
  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: member })).body;
  const path = `/api/auth/connected-apps/${connected_apps[0].id}`;
  expect((await service.call('DELETE', path, { as: owner })).body.error.code).toBe('connected_app_not_found');
  const ended = await service.call('DELETE', path, { as: member });
  expect([ended.status, ended.body.connected_app.status]).toEqual([200, 'revoked']);
  expect((await service.call('GET', '/api/v1/me', { as: access_token })).status).toBe(401);
});
