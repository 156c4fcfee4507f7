import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, requestOf, serveDocuments } from '../../test/support/app-documents.ts';
import { authorize } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';

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

test('a document is read once a day', async () => {
  const client_id = documents.at('daily.json');
  const reads = () => documents.asked.filter((path) => path === '/daily.json').length;
  for (let n = 0; n < 3; n++) await authorize(service, requestOf(newApp(client_id)), ada);
  expect(reads()).toBe(1);
  await sql`update oauth_clients set updated_at = now() - interval '25 hours'`.execute(service.context.db);
  await authorize(service, requestOf(newApp(client_id)), ada);
  expect(reads()).toBe(2);
});
