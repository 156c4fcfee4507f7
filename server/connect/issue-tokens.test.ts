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

/** As if the newest pair had been made that long ago. */
const replacedAgo = (seconds: number) =>
  sql`update oauth_refresh_tokens set paired_at = paired_at - make_interval(secs => ${seconds})`.execute(
    service.context.db,
  );
const outcome = ({ status, body }: Awaited<ReturnType<typeof refresh>>) => [status, body.error];

test('a replaced refresh token gives another pair within a minute, and all of them work', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  const first = await refresh(service, painter, refresh_token);
  await replacedAgo(55);
  const again = await refresh(service, painter, refresh_token);
  expect([first.status, again.status]).toEqual([200, 200]);
  for (const { body } of [first, again]) expect((await me(body.access_token ?? '')).status).toBe(200);
  // The lost pair is of the generation of the other: either leads on, and then the other is the one before.
  const next = await refresh(service, painter, again.body.refresh_token ?? '');
  const other = await refresh(service, painter, first.body.refresh_token ?? '');
  expect([next.status, other.status, (await me(other.body.access_token ?? '')).status]).toEqual([200, 200, 200]);
});

test('a refresh token that was replaced more than a minute ago ends the grant', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  const next = await refresh(service, painter, refresh_token);
  await replacedAgo(61);
  expect(outcome(await refresh(service, painter, refresh_token))).toEqual([400, 'invalid_grant']);
  expect((await me(next.body.access_token ?? '')).status).toBe(401);
  expect((await refresh(service, painter, next.body.refresh_token ?? '')).status).toBe(400);
});

test('the minute begins with the first pair, and another pair does not make it longer', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  await refresh(service, painter, refresh_token);
  await replacedAgo(40);
  expect((await refresh(service, painter, refresh_token)).status).toBe(200);
  await replacedAgo(40);
  expect(outcome(await refresh(service, painter, refresh_token))).toEqual([400, 'invalid_grant']);
});

test('a refresh token of two generations ago ends the grant at once', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  const next = await refresh(service, painter, refresh_token);
  const last = await refresh(service, painter, next.body.refresh_token ?? '');
  expect(outcome(await refresh(service, painter, refresh_token))).toEqual([400, 'invalid_grant']);
  expect((await me(last.body.access_token ?? '')).status).toBe(401);
});

test('a pair that nobody used is of no use a minute after the others went on', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  const lost = await refresh(service, painter, refresh_token);
  const used = await refresh(service, painter, refresh_token);
  await refresh(service, painter, used.body.refresh_token ?? '');
  await replacedAgo(61);
  expect(outcome(await refresh(service, painter, lost.body.refresh_token ?? ''))).toEqual([400, 'invalid_grant']);
});

test('of 25 refreshes at once 20 get a pair of one generation, and the grant goes on', async () => {
  const [bob, painter] = [await signUp(service), app()];
  const { refresh_token } = await connectApp(service, bob, painter);
  const answers = await Promise.all(Array.from({ length: 25 }, () => refresh(service, painter, refresh_token)));
  const pairs = answers.filter(({ status }) => status === 200);
  const others = answers.filter(({ status }) => status !== 200);
  expect(pairs).toHaveLength(20);
  for (const answer of others) expect(outcome(answer)).toEqual([429, 'temporarily_unavailable']);
  expect(new Set(pairs.map(({ body }) => body.refresh_token)).size).toBe(20);
  for (const { body } of pairs) expect((await me(body.access_token ?? '')).status).toBe(200);
  // Each of the pairs leads into the same next generation.
  const next = await Promise.all(pairs.map(({ body }) => refresh(service, painter, body.refresh_token ?? '')));
  expect(next.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});

test('a refused exchange leaves a replaced token replaced', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  await refresh(service, painter, refresh_token);
  const form = { grant_type: 'refresh_token', client_id: painter.clientId, refresh_token, scope: 'api:read admin' };
  expect(outcome(await postForm(service, '/oauth2/token', form))).toEqual([400, 'invalid_scope']);
  const { rows } = await sql`select from oauth_refresh_tokens t join oauth_refresh_tokens pair
    on pair.reference_id = t.reference_id and pair.generation = 1 and pair.revoked is null
    where t.generation = 0 and t.revoked is null`.execute(service.context.db);
  expect(rows).toEqual([]);
  expect((await refresh(service, painter, refresh_token)).status).toBe(200);
});

test('an access token in the place of the refresh token is wrong, and ends nothing', async () => {
  const painter = app();
  const { access_token, refresh_token } = await connectApp(service, ada, painter);
  expect(outcome(await refresh(service, painter, access_token))).toEqual([400, 'invalid_grant']);
  expect((await refresh(service, painter, refresh_token)).status).toBe(200);
});

test('the release before replaces a token without a generation: its second use ends the grant', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  await sql`update oauth_refresh_tokens set revoked = now() where generation is null and revoked is null`.execute(
    service.context.db,
  );
  expect(outcome(await refresh(service, painter, refresh_token))).toEqual([400, 'invalid_grant']);
});

test('a token of the release before goes on after it, whatever generation came earlier', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter);
  const { body } = await refresh(service, painter, refresh_token);
  await replacedAgo(3600);
  await sql`update oauth_refresh_tokens set generation = null, paired_at = null
    where revoked is null and generation = 1`.execute(service.context.db);
  const next = await refresh(service, painter, body.refresh_token ?? '');
  expect([next.status, (await refresh(service, painter, body.refresh_token ?? '')).status]).toEqual([200, 200]);
});

test('a refresh for less narrows the access token, and the refresh token keeps its scopes', async () => {
  const painter = app();
  const { refresh_token } = await connectApp(service, ada, painter, { scopes: ['api:read', 'api:write'] });
  const form = { grant_type: 'refresh_token', client_id: painter.clientId };
  const narrow = await postForm(service, '/oauth2/token', { ...form, refresh_token, scope: 'api:read' });
  expect([narrow.status, narrow.body.scope]).toEqual([200, 'api:read']);
  const denied = await service.call('POST', '/api/v1/jobs', { as: narrow.body.access_token ?? '', body: {} });
  expect(denied.body.error.code).toBe('insufficient_scope');
  const wide = await postForm(service, '/oauth2/token', {
    ...form,
    refresh_token: narrow.body.refresh_token ?? '',
    scope: 'api:read api:write',
  });
  expect([wide.status, wide.body.scope]).toEqual([200, 'api:read api:write']);
});

test('an app that is not known hears invalid_client, so that it registers anew', async () => {
  const grants: Record<string, string>[] = [
    { grant_type: 'authorization_code', code: 'x' },
    { grant_type: 'refresh_token', refresh_token: 'x' },
  ];
  for (const grant of grants)
    for (const client_id of ['nobody', 'https://nobody.example/app.json']) {
      const answer = await postForm(service, '/oauth2/token', { ...grant, client_id });
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    }
});

test('a refresh token that is not known, or is of another app, is invalid_grant in words of ours', async () => {
  const [painter, two] = [app(), other()];
  const tokens = await connectApp(service, ada, painter);
  for (const [form, token] of [
    [painter, 'atf_nothing'],
    [two, tokens.refresh_token],
  ] as const) {
    const answer = await refresh(service, form, token);
    expect(outcome(answer)).toEqual([400, 'invalid_grant']);
    expect(answer.body.error_description).toBe('The code, its verifier or the refresh token is wrong.');
  }
  expect((await refresh(service, painter, tokens.refresh_token)).status).toBe(200);
});

test.each([
  ['application/json', '{"grant_type":"refresh_token"}'],
  ['text/plain', 'grant_type=refresh_token'],
  ['', ''],
])('a body of the type "%s" is told which type it should have', async (type, body) => {
  for (const path of ['token', 'revoke']) {
    const answer = await fetch(`${service.url}/api/auth/oauth2/${path}`, {
      method: 'POST',
      headers: type === '' ? {} : { 'content-type': type },
      body,
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Send the parameters as application/x-www-form-urlencoded.' },
    ]);
  }
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
