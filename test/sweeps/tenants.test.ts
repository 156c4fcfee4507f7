import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, remembersKeys } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { showId } from '../../server/lib/id.ts';
import { ask, contentOf, createWorld, prefixOf, titled, unknownId, type World } from '../support/every-endpoint.ts';
import { newApp, serveDocuments } from '../support/app-documents.ts';
import { connectApp, insertGrant } from '../support/apps.ts';
import { createJob, makeMoves, newJobIn, post } from '../support/jobs.ts';
import { addMember, makeKey } from '../support/people.ts';
import type { As } from '../support/harness.ts';
import { newReviewLink } from '../support/review-links.ts';
import { sweep, sweepUnchanged } from '../support/sweep.ts';

/** Ada's account is the victim; Eve has one too, and everything that she may have in it. */
let world: World;
let strangers: [who: string, as: As][];
/** What must never be seen from another account. */
let secrets: string[];
/** An app that Ada let in. */
let grantId: string;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

beforeAll(async () => {
  documents = await serveDocuments();
  world = await createWorld({ WEBHOOK_ALLOW: '127.0.0.1' });
  const { service, ada, eve, eveKey, member, ids } = world;
  const colleague = await addMember(service, eve, 'member');
  const { body: hers } = await createJob(service, eveKey, {}, 'eve');
  const { guest: eveGuest } = await newReviewLink({ service, key: eveKey }, hers.job.id, {
    can_comment: true,
  });
  grantId = await insertGrant(service, ada);
  const app = async (name: string, scopes: string[]) =>
    (await connectApp(service, eve, newApp(documents.at(name)), { scopes })).access_token;
  strangers = [
    ['session', eve.token],
    ['browser', eve],
    ['key', eveKey],
    ['key that may only read', await makeKey(service, eve, ['api:read'])],
    ['app', await app('painter.json', ['api:read', 'api:write'])],
    ['app that may only read', await app('reader.json', ['api:read'])],
    ['member', colleague.token],
    ['guest of her own', eveGuest],
    ['nobody', null],
  ];
  await newJobIn(world, 'ready_for_customer_review');
  await newJobIn(world, 'completed');
  await makeMoves(world, ids.job!, 'accept', 'start', 'submit', 'return');
  const jobs = await service.call('GET', '/api/v1/jobs', { as: ada.token });
  secrets = [
    ...Object.values(ids),
    grantId,
    ...jobs.body.jobs.map(({ id }: { id: string }) => id),
    showId('user', ada.userId),
    showId('user', member.userId),
    ada.email,
    member.email,
    'invited@example.com',
  ];
});
afterAll(async () => {
  documents.close();
  await world.service.close();
});

/** What of Ada's a path names. */
const hersFor = (endpoint: Endpoint): string =>
  endpoint.path.includes('/connected-apps/') ? grantId : world.ids[prefixOf(endpoint)!]!;

/** An answer without what differs between any two requests, and without the id that was asked for. */
const seen = (answer: Awaited<ReturnType<typeof ask>>, id: string) => ({
  status: answer.status,
  body: JSON.parse(JSON.stringify(answer.body).replaceAll(id, '<id>'), (key, value) =>
    key === 'request_id' ? '<request>' : value,
  ),
  headers: Object.fromEntries(
    [...answer.headers].filter(([name]) => !/^(date|x-request-id|content-length|ratelimit)/.test(name)),
  ),
});

/** Whoever holds the id of an invitation was sent it, so accepting says why it does not work for them; see its own tests. */
const tellsWhy = ({ operationId }: Endpoint) => ['acceptInvitation', 'declineInvitation'].includes(operationId);

/** Whoever holds the id of an invitation was sent it, and reads for which address it is not. */
const named = endpoints.filter((endpoint) => prefixOf(endpoint) !== null && endpoint.operationId !== 'readInvitation');

describe('the id of something in another account answers as one that does not exist, and nothing changes', () => {
  test('there is something of every kind to name', () => {
    expect(
      [...new Set(named.map((endpoint) => prefixOf(endpoint)))].filter(
        (prefix) => !world.ids[prefix ?? '']?.startsWith(`${prefix}_`),
      ),
    ).toEqual([]);
  });

  test('each of them but nobody and the guest is let in', async () => {
    for (const [who, as] of strangers.filter(([, as]) => as !== null && (typeof as === 'string' || !('review' in as))))
      expect((await world.service.call('GET', '/api/v1/jobs', { as })).status, who).toBe(200);
  });

  /** Asks for hers and for nothing, as everybody. */
  sweepUnchanged(
    'each',
    () => world.service,
    titled(named),
    async (endpoint) => {
      const [hers, unknown] = [hersFor(endpoint), unknownId(endpoint)];
      for (const [who, as] of strangers) {
        const theirs = await ask(world, endpoint, { as, id: hers });
        expect([401, 403, 404], who).toContain(theirs.status);
        const nothing = await ask(world, endpoint, { as, id: unknown });
        if (!tellsWhy(endpoint)) expect(seen(theirs, hers), who).toEqual(seen(nothing, unknown));
      }
    },
  );

  sweepUnchanged(
    'with an Idempotency-Key',
    () => world.service,
    titled(named.filter(remembersKeys)),
    async (endpoint) => {
      const headers = { 'idempotency-key': 'of-the-victim' };
      for (const [, as] of strangers) await ask(world, endpoint, { as, id: hersFor(endpoint), headers });
    },
  );
});

describe('lists and readings show nothing of another account', () => {
  const readings = endpoints.filter(
    (endpoint: Endpoint) => endpoint.method === 'GET' && endpoint.auth !== 'public' && !endpoint.params,
  );
  sweep('each', titled(readings), async (endpoint) => {
    for (const [who, as] of strangers) {
      const answer = await ask(world, endpoint, { as });
      const text = JSON.stringify(answer.body);
      expect(
        secrets.filter((secret) => text.includes(secret)),
        who,
      ).toEqual([]);
    }
  });
});

describe('references inside queries, cursors and keys', () => {
  const get = (path: string, as: As) => world.service.call('GET', path, { as });

  test('404 job_not_found: the job of another account as usage filter', async () => {
    for (const id of [world.ids.job!, 'job_01jd3vsh8xe7rtx1zqbdnzc4v0'])
      expect((await get(`/api/v1/usage?job_id=${id}`, world.eveKey)).body.error.code).toBe('job_not_found');
  });

  test('400 invalid_request: a cursor of another account', async () => {
    const { body } = await get('/api/v1/jobs?limit=1', world.key);
    expect(body.next_cursor).not.toBeNull();
    expect((await get(`/api/v1/jobs?limit=1&cursor=${body.next_cursor}`, world.eveKey)).status).toBe(400);
  });

  test('an Idempotency-Key of another account is just another key', async () => {
    const { service, key, eveKey } = world;
    const mine = await createJob(service, key, {}, 'shared');
    const theirs = await createJob(service, eveKey, {}, 'shared');
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.job.id).not.toBe(mine.body.job.id);
    expect((await createJob(service, key, {}, 'shared')).body).toEqual(mine.body);
  });

  test('403 csrf_token_invalid: the CSRF token of another session', async () => {
    const { service, ada, eve } = world;
    const forged = { cookie: ada.cookie, csrf: eve.csrf };
    const { body } = await service.call('POST', '/api/v1/api-keys', { as: forged, body: { name: 'x' } });
    expect(body.error.code).toBe('csrf_token_invalid');
  });

  test('someone removed from an account acts for it no more, also with a session that did', async () => {
    const { service, ada, key } = world;
    const leaver = await addMember(service, ada, 'admin');
    expect((await get('/api/v1/jobs', leaver.token)).body.jobs.length).toBeGreaterThan(0);
    const removed = await service.call('DELETE', `/api/auth/members/${showId('mem', leaver.memberId)}`, {
      as: ada.token,
    });
    expect(removed.status).toBe(200);
    const after = await get('/api/v1/jobs', leaver.token);
    expect([after.status, after.body.jobs ?? []]).not.toEqual([200, expect.arrayContaining([expect.anything()])]);
    expect((await get('/api/v1/jobs', key)).status).toBe(200);
  });
});

test("one account's use leaves the quota and counters of the other alone", async () => {
  const { service, ada, eveKey } = world;
  const usage = async () => (await service.call('GET', '/api/v1/usage', { as: ada.token })).body.usage;
  const before = await usage();
  const { body } = await createJob(service, eveKey);
  await post(service, eveKey, body.job.links.cancel);
  expect(await usage()).toEqual(before);
});

test('the content of the database is seen by these tests', async () => {
  const before = await contentOf(world.service);
  await createJob(world.service, world.key);
  const after = await contentOf(world.service);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  expect(changed.toSorted()).toEqual([
    'public.account_counters',
    'public.entitlement_periods',
    'public.events',
    'public.jobs',
    'public.usage_ledger',
    'public.usage_totals',
  ]);
});
