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

test('200: an owner sees those of everybody, an admin their own, another account none', async () => {
  const owner = await signUp(service);
  const [admin, member] = [await addMember(service, owner, 'admin'), await addMember(service, owner, 'member')];
  for (const person of [owner, admin, member]) await connectApp(service, person, newApp(documents.at('painter.json')));
  const count = async (as: typeof owner) =>
    (await service.call('GET', '/api/v1/connected-apps', { as })).body.connected_apps?.length;
  expect([await count(owner), await count(admin), await count(await signUp(service))]).toEqual([3, 1, 0]);
  expect((await service.call('GET', '/api/v1/connected-apps', { as: member })).body.error.code).toBe('role_required');
});
