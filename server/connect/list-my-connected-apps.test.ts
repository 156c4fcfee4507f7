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

test('200: everybody sees their own, of all of their accounts', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  for (const person of [owner, member]) await connectApp(service, person, newApp(documents.at('painter.json')));
  for (const as of [owner, member]) {
    const { status, body } = await service.call('GET', '/api/auth/connected-apps', { as });
    expect([status, body.connected_apps.length]).toEqual([200, 1]);
  }
  const exported = (await service.call('GET', '/api/auth/export', { as: member })).body;
  expect(exported.connected_apps).toMatchObject([{ app: { name: 'Painter' } }]);
  expect(exported.api_keys).toEqual([]);
});
