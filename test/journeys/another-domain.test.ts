import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, serveDocuments } from '../support/app-documents.ts';
import { connectApp, refresh } from '../support/apps.ts';
import { addSecondFactor, signInWith } from '../support/authenticator.ts';
import { createService, type Service } from '../support/harness.ts';
import { newCustomer } from '../support/jobs.ts';

/** The table of "Another domain" in docs/operations/run.md: what holds under another PUBLIC_URL, and what does not. */

let old: Service;
let moved: Service;
let documents: Awaited<ReturnType<typeof serveDocuments>>;
beforeAll(async () => {
  old = await createService({ WEBHOOK_ALLOW: '127.0.0.1', SECRET_KEY: 'a-key-that-both-addresses-have-1234' });
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  await moved.close();
  await old.close();
});

test('keys, sessions and second factors hold; apps connect again; pages of the old address are told', async () => {
  const { person, key } = await newCustomer(old, 'studio');
  const app = newApp(documents.at('painter.json'));
  const tokens = await connectApp(old, person, app);
  const me = (service: Service, as: string) => service.call('GET', '/api/v1/me', { as });
  expect((await me(old, tokens.access_token)).status).toBe(200);
  const { phone } = await addSecondFactor(old, person);

  const PUBLIC_URL = 'https://new.example.com';
  const variables = { WEBHOOK_ALLOW: '127.0.0.1', SECRET_KEY: 'a-key-that-both-addresses-have-1234', PUBLIC_URL };
  moved = await createService(variables, { databaseUrl: old.databaseUrl });
  expect((await me(moved, key)).status).toBe(200);
  const again = await signInWith(moved, person, phone());
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect((await me(old, again.body.token)).status, 'a session, in both').toBe(200);

  expect((await me(moved, tokens.access_token)).status).toBe(401);
  expect((await refresh(moved, app, tokens.refresh_token)).status).toBe(400);
  const origin = old.context.publicUrl;
  const { email, password } = person;
  const late = await moved.call('POST', '/api/auth/sign-in/email', { body: { email, password }, headers: { origin } });
  expect([late.status, late.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  expect(late.body.error.action).toContain(PUBLIC_URL);
});
