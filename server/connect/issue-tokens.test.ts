import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, serveDocuments } from '../../test/support/app-documents.ts';
import { allow, codeForm, connectApp, postForm, refresh } from '../../test/support/apps.ts';
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

const app = () => newApp(documents.at('painter.json'));
const other = () => newApp(documents.at('other.json'));
const me = (token: string) => service.call('GET', '/api/v1/me', { as: token });

test('a code works once: the second time ends what the first gave', async () => {
  const painter = app();
  const { code } = await allow(service, ada, painter);
  const first = await postForm(service, '/oauth2/token', codeForm(painter, code));
  expect((await me(first.body.access_token ?? '')).status).toBe(200);
  const second = await postForm(service, '/oauth2/token', codeForm(painter, code));
  expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
  expect((await me(first.body.access_token ?? '')).status).toBe(401);
});

test('of eight exchanges of a code at once one gets a token, and the others end it', async () => {
  const [bob, painter] = [await signUp(service), app()];
  const { code } = await allow(service, bob, painter);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => postForm(service, '/oauth2/token', codeForm(painter, code))),
  );
  const issued = answers.filter(({ status }) => status === 200);
  expect(issued).toHaveLength(1);
  for (const answer of answers) if (answer !== issued[0]) expect(answer.body.error).toBe('invalid_grant');
  expect((await me(issued[0]?.body.access_token ?? '')).status).toBe(401);
  expect((await refresh(service, painter, issued[0]?.body.refresh_token ?? '')).body.error).toBe('invalid_grant');
  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: bob })).body;
  expect(connected_apps[0].status).toBe('revoked');
});

test('a code ends after a minute', async () => {
  const painter = app();
  const { code } = await allow(service, ada, painter);
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float as seconds from verifications
    where value like '%authorization_code%' order by created_at desc limit 1`.execute(service.context.db);
  expect(rows[0]?.seconds).toBeGreaterThan(50);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(61);
  await sql`update verifications set expires_at = now() - interval '1 second'`.execute(service.context.db);
  expect((await postForm(service, '/oauth2/token', codeForm(painter, code))).status).toBe(400);
});

test('a refresh token works once: the second time ends the grant', async () => {
  const painter = app();
  const tokens = await connectApp(service, ada, painter);
  const next = await refresh(service, painter, tokens.refresh_token);
  expect([next.status, (await me(next.body.access_token ?? '')).status]).toEqual([200, 200]);
  const again = await refresh(service, painter, tokens.refresh_token);
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  expect((await me(next.body.access_token ?? '')).status).toBe(401);
  expect((await refresh(service, painter, next.body.refresh_token ?? '')).status).toBe(400);
});

test('another client cannot revoke a token; the grant ends by any token of its own', async () => {
  const [painter, two] = [app(), other()];
  const tokens = await connectApp(service, ada, painter);
  const revoke = (token: string, client_id: string) => postForm(service, '/oauth2/revoke', { token, client_id });
  expect((await revoke(tokens.refresh_token, two.clientId)).status).toBe(200);
  expect((await me(tokens.access_token)).status).toBe(200);
  expect((await revoke(tokens.access_token, painter.clientId)).status).toBe(200);
  expect((await me(tokens.access_token)).status).toBe(401);
  expect((await refresh(service, painter, tokens.refresh_token)).status).toBe(400);
});

test('an access token ends with its grant, and works at this service only', async () => {
  const { db } = service.context;
  const tokens = await connectApp(service, await signUp(service), app());
  await sql`update oauth_access_tokens set resources = '["https://other.example/mcp"]'`.execute(db);
  expect((await me(tokens.access_token)).status).toBe(401);
  const others = await connectApp(service, await signUp(service), app());
  expect((await me(others.access_token)).status).toBe(200);
  await sql`update api_keys set expires_at = now() - interval '1 ms', created_at = now() - interval '1 day'`.execute(
    db,
  );
  expect((await me(others.access_token)).status).toBe(401);
});
