import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newApp, requestOf } from '../../test/support/app-documents.ts';
import {
  allow,
  authorize,
  codeForm,
  connectApp,
  createStudioApp,
  endStudioApp,
  listStudioApps,
  postForm,
  refresh,
} from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { newReviewLink, readReview } from '../../test/support/review-links.ts';

let service: Service;
/** Another process on the same database. */
let other: Service;
let owner: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  service = await createService();
  other = await createService({}, { databaseUrl: service.databaseUrl });
  owner = await makeOperator(service);
  ada = (await newCustomer(service, 'studio')).person;
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const register = async (name?: string) =>
  newApp((await createStudioApp(service, owner.token, name === undefined ? {} : { name })).body.app.id);
const end = (id: string, at = service) => endStudioApp(at, owner.token, id);
const me = async (token: string, at = service) => (await at.call('GET', '/api/v1/me', { as: token })).status;
const newestOf = async (person: TestPerson) =>
  (await service.call('GET', '/api/auth/connected-apps', { as: person })).body.connected_apps[0];

test('200: its access to all accounts ends at once in each process, and each account gets an event of the studio', async () => {
  const eve = await signUp(service);
  const app = await register();
  const tokens = [await connectApp(service, ada, app), await connectApp(service, eve, app)];
  const stranger = await connectApp(service, ada, await register());
  const ended = await end(app.clientId, other);
  expect([ended.status, ended.body.app]).toMatchObject([200, { status: 'ended', connections: 0 }]);
  for (const { access_token, refresh_token } of tokens) {
    expect([await me(access_token), await me(access_token, other)]).toEqual([401, 401]);
    expect((await refresh(service, app, refresh_token)).body.error).toBe('invalid_grant');
  }
  expect(await me(stranger.access_token)).toBe(200);
  for (const person of [ada, eve]) {
    const grants = (await service.call('GET', '/api/auth/connected-apps', { as: person })).body.connected_apps;
    const revoked = grants.filter(({ status }: { status: string }) => status === 'revoked');
    const { events } = (await service.call('GET', '/api/v1/events?limit=100', { as: person })).body;
    const own = events.filter(({ type }: { type: string }) => type === 'api_key.revoked');
    expect(own).toMatchObject([{ data: { api_key_id: revoked[0].id }, actor: 'operator' }]);
    const audit = (await service.call('GET', '/api/v1/audit?action=api_key.revoked', { as: person })).body;
    expect(audit.audit_entries).toMatchObject([{ actor: 'operator', created_by: null }]);
  }
});

test('200: again changes nothing, and the audit has one entry', async () => {
  const { clientId } = await register('Short-lived');
  const [first, again] = [await end(clientId), await end(clientId)];
  expect(again.body).toEqual(first.body);
  const { audit_entries } = (
    await service.call('GET', `/api/operator/v1/audit?subject=${clientId}`, { as: owner.token })
  ).body;
  expect(audit_entries.map(({ action }: { action: string }) => action)).toEqual(['app.ended', 'app.created']);
});

test('404 app_not_found: an unknown id, another kind of id, and an app that registered itself', async () => {
  await service.context.db
    .insertInto('oauth_clients')
    .values({ client_id: 'itself', name: 'Itself', redirect_uris: '[]' })
    .execute();
  for (const id of ['app_01jd3vsh8xe7rtx1zqbdnzc4v0', 'key_01jd3vsh8xe7rtx1zqbdnzc4v0', 'itself', 'atelier-cli']) {
    const { status, body } = await end(id);
    expect([status, body.error.code]).toEqual([404, 'app_not_found']);
  }
  const clients = service.context.db.selectFrom('oauth_clients').select('disabled').where('client_id', '=', 'itself');
  expect(await clients.execute()).toEqual([{ disabled: false }]);
});

test('a call that waits in another process ends with the app', async () => {
  const app = await register();
  const { access_token: as } = await connectApp(service, ada, app);
  const { latest } = (await other.call('GET', '/api/v1/events?limit=1', { as })).body;
  const waiting = other.call('GET', `/api/v1/events?after=${latest}&wait=25`, { as });
  await end(app.clientId);
  const began = performance.now();
  const { status, body } = await waiting;
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(status === 401 || body.events.at(-1).type === 'api_key.revoked').toBe(true);
  expect(await me(as, other)).toBe(401);
});

test('nothing that is under way lets it in any more: a request, a page that is open, a code', async () => {
  const app = await register();
  const page = await authorize(service, requestOf(app), ada);
  const { code } = await allow(service, ada, app);
  await end(app.clientId);
  const exchanged = await postForm(service, '/oauth2/token', codeForm(app, code));
  expect([exchanged.status, exchanged.body.error, exchanged.body.access_token]).toEqual([
    401,
    'invalid_client',
    undefined,
  ]);
  const request = page.searchParams.get('request') ?? '';
  expect((await service.call('GET', `/api/auth/connection?request=${request}`, { as: ada })).status).toBe(400);
  const body = { request, allow: true, account_id: (await newestOf(ada)).account.id };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
  expect([decided.status, decided.body.error.code]).toEqual([422, 'invalid_request']);
  expect((await authorize(service, requestOf(app), ada)).searchParams.get('error')).toBe('client_disabled');
});

test('a person who allows it while it ends lets nothing in', async () => {
  const app = await register();
  const { db } = service.context;
  const before = (await newestOf(ada)).id;
  let allowed: ReturnType<typeof allow> | null = null;
  await db.transaction().execute(async (trx) => {
    await sql`update oauth_clients set disabled = true, updated_at = now() where client_id = ${app.clientId}`.execute(
      trx,
    );
    allowed = allow(service, ada, app);
    await untilBlocked(db);
  });
  expect((await allowed!).decided.status).toBe(422);
  expect((await newestOf(ada)).id).toBe(before);
});

test('an end waits for a person who is allowing it, and ends what they allowed', async () => {
  const app = await register();
  const { db } = service.context;
  let [allowed, ended]: [ReturnType<typeof allow> | null, ReturnType<typeof end> | null] = [null, null];
  await db.transaction().execute(async (trx) => {
    // The grant waits for its counters, when it already has the row of the app.
    await trx
      .selectFrom('account_counters')
      .select('account_id')
      .where('account_id', '=', ada.accountId)
      .forUpdate()
      .execute();
    allowed = allow(service, ada, app);
    await untilBlocked(db, 1);
    ended = end(app.clientId);
    await untilBlocked(db, 2);
  });
  const { code } = await allowed!;
  expect((await ended!).status).toBe(200);
  expect((await postForm(service, '/oauth2/token', codeForm(app, code))).body.error).toBe('invalid_client');
  expect((await newestOf(ada)).status).toBe('revoked');
});

test('401: an owner who is removed while the request waits ends nothing', async () => {
  const leaving = await makeOperator(service);
  const { clientId } = await register();
  const { db } = service.context;
  let answer: ReturnType<typeof end> | null = null;
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('people').set({ operator_role: null }).where('id', '=', leaving.userId).execute();
    answer = endStudioApp(service, leaving.token, clientId);
    await Promise.race([untilBlocked(db), answer]);
  });
  expect((await answer!).status).toBe(401);
  const client = db.selectFrom('oauth_clients').select('disabled').where('client_id', '=', clientId);
  expect(await client.execute()).toEqual([{ disabled: false }]);
});

test('a review link that it made ends with it', async () => {
  const app = await register();
  const { access_token: as } = await connectApp(service, ada, app, { scopes: ['api:read', 'api:write'] });
  const { guest } = await newReviewLink({ service, key: as }, await newJob(service, as));
  expect((await readReview(service, guest)).status).toBe(200);
  await end(app.clientId);
  expect((await readReview(service, guest)).status).not.toBe(200);
});

test('5,000 grants in 2,500 accounts, with 6,000 links, end in one transaction', async () => {
  const app = await register('Popular');
  const { db } = service.context;
  await sql`
    with account as (
      insert into accounts (name, slug) select 'Many', 'many-' || n from generate_series(1, 2500) n returning id
    ), counter as (insert into account_counters (account_id) select id from account),
    grants as (
      insert into api_keys (id, account_id, created_by, name, prefix, secret_sha256, scopes, expires_at, app_client_id)
      select uuidv7(), a.id, ${ada.userId}, 'Popular', lpad(to_hex(row_number() over ()), 8, '0'), sha256('x'),
        '{api:read}', now() + interval '30 days', ${app.clientId}
      from account a, generate_series(1, 2) n
      returning id, account_id
    )
    insert into review_links (id, account_id, job_id, name, can_comment, created_by_key, prefix, secret_sha256, expires_at)
    select uuidv7(), g.account_id, uuidv7(), 'Many', false, g.id, lpad(to_hex(row_number() over ()), 8, '0'),
      sha256('x'), now() + interval '30 days'
    from (select * from grants limit 60) g, generate_series(1, 100) n`.execute(db);
  expect((await end(app.clientId)).status).toBe(200);
  const { rows } = await sql<{ events: number; last: number }>`
    select count(*)::int as events, max(e.seq)::int as last
    from events e join accounts a on a.id = e.account_id where a.name = 'Many' and e.type = 'api_key.revoked'`.execute(
    db,
  );
  expect(rows).toEqual([{ events: 5000, last: 2 }]);
  const live = db.selectFrom('review_links').select('id').where('name', '=', 'Many').where('revoked_at', 'is', null);
  expect(await live.execute()).toEqual([]);
  expect((await listStudioApps(service, owner.token)).body.apps[0]).toMatchObject({ name: 'Popular', connections: 0 });
});
