import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { accountEventTypes } from '../../contract/jobs/events.ts';
import { showId } from '../lib/id.ts';
import {
  createJob,
  sharedStudio,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  type Studio,
  tryMove,
  unknownJob,
} from '../../test/support/jobs.ts';
import { followEvents } from '../../test/support/event-stream.ts';
import { createService } from '../../test/support/harness.ts';
import { call, connect } from '../../test/support/mcp.ts';
import { makeKey } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const list = (query = '', as = studio.key) => studio.service.call('GET', `/api/v1/events${query}`, { as });
const waits = () => studio.service.context.waits.callers().length;
const latest = async (as = studio.key): Promise<number> => (await list('', as)).body.latest;

test('200: a new account has what happened since its sign-up, counted from 1', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const { status, body } = await list('', key);
  expect(status).toBe(200);
  const seqs = body.events.map(({ seq }: { seq: number }) => seq);
  expect(seqs).toEqual(seqs.map((_: number, n: number) => n + 1));
  expect(body).toMatchObject({ next_after: seqs.length, latest: seqs.length });
});

test('200: every step of a job, numbered in the account and in the job', async () => {
  const after = await latest();
  const id = await newJobIn(studio, 'completed');
  const { body } = await list(`?after=${after}`);
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
    'job.created',
    'job.accepted',
    'job.started',
    'job.submitted',
    'job.ready_for_customer_review',
    'job.approved',
    'job.completed',
  ]);
  for (const [n, event] of body.events.entries()) {
    expect(event).toMatchObject({ seq: after + n + 1, job: { id, seq: n + 1 } });
    expect(JSON.stringify(event).length).toBeLessThan(2_000);
  }
  expect(body.events.at(-1)).toMatchObject({
    actor: 'customer',
    data: { round: 0 },
    job: { status: 'completed', previous_status: 'ready_for_customer_review', links: { self: `/api/v1/jobs/${id}` } },
  });
  expect(body).toMatchObject({ next_after: after + 7, latest: after + 7 });
});

test('200: an event is the one that the job shows', async () => {
  const after = await latest();
  const id = await newJobIn(studio, 'rejected');
  const { events } = (await list(`?after=${after}`)).body;
  const path = `/api/v1/jobs/${id}/events`;
  const shown = (await studio.service.call('GET', path, { as: studio.key })).body.events;
  expect(shown).toEqual(events.map((event: { job: { seq: number } }) => ({ ...event, seq: event.job.seq })));
  expect(shown.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2]);
});

test('200: why a job was rejected, by its code', async () => {
  const after = await latest();
  const id = await newJobIn(studio, 'rejected');
  const { body } = await list(`?after=${after}&types=job.rejected`);
  expect(body.events).toMatchObject([{ type: 'job.rejected', job: { id }, data: { reason_code: 'out_of_scope' } }]);
});

test('200: filters by type and by job, and next_after goes past what they hide', async () => {
  const after = await latest();
  const [one, two] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  await makeMoves(studio, one, 'accept', 'start');
  const types = await list(`?after=${after}&types=job.accepted,job.started`);
  expect(types.body.events.map(({ type }: { type: string }) => type)).toEqual(['job.accepted', 'job.started']);
  const job = await list(`?after=${after}&job_id=${two}`);
  expect(job.body.events).toMatchObject([{ type: 'job.created', job: { id: two } }]);
  expect(job.body.next_after).toBe(after + 4);
  const none = await list(`?after=${after}&types=job.rejected&job_id=${two}`);
  expect(none.body).toMatchObject({ events: [], next_after: after + 4, latest: after + 4 });
});

test('200: pages by any size give every event once, in order', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  for (let n = 0; n < 8; n++) await newJob(studio.service, key);
  const whole = (await list('', key)).body.events;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('', '&types=job.created', '&types=job.created,api_key.created'),
      async (limit, filter) => {
        const seen = [];
        for (let after = 0; ;) {
          const { body } = await list(`?after=${after}&limit=${limit}${filter}`, key);
          seen.push(...body.events);
          if (body.next_after === body.latest) break;
          expect(body.next_after).toBeGreaterThan(after);
          after = body.next_after;
        }
        const wanted = filter.split('=')[1]?.split(',');
        expect(seen).toEqual(whole.filter(({ type }: { type: string }) => !wanted || wanted.includes(type)));
      },
    ),
    { numRuns: 20 },
  );
  expect(person.accountId).not.toBe(studio.ada.accountId);
});

test('200: creates and moves at the same time leave no gap and no seq twice', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const ids = await Promise.all([...Array(12)].map(() => newJob(studio.service, key)));
  await Promise.all([
    ...ids.slice(0, 6).map((id) => tryMove(studio, id, 'accept')),
    ...ids.slice(6).map((id) => tryMove({ ...studio, key }, id, 'cancel')),
    ...[...Array(6)].map(() => createJob(studio.service, key)),
  ]);
  const { body } = await list('?limit=100', key);
  const seqs = body.events.map(({ seq }: { seq: number }) => seq);
  expect(seqs).toEqual([...Array(body.latest)].map((_, n) => n + 1));
  const own = await studio.service.context.db
    .selectFrom('events')
    .select(['user_id', 'api_key_id', 'address_hash', 'actor'])
    .where('account_id', '=', person.accountId)
    .where('type', '=', 'job.created')
    .execute();
  // Never shown, but stored for the audit.
  expect(own.every((row) => row.api_key_id !== null && row.user_id === null && row.address_hash !== null)).toBe(true);
  expect(JSON.stringify(body)).not.toContain(own[0]!.address_hash);
});

test('200: wait answers at once where there is something, and as soon as something comes', async () => {
  const after = await latest();
  const began = performance.now();
  const waiting = list(`?after=${after}&wait=20`);
  await expect.poll(waits).toBe(1);
  const id = await newJob(studio.service, studio.key);
  const { body } = await waiting;
  expect(body.events).toMatchObject([{ type: 'job.created', job: { id } }]);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((await list(`?after=${after}&wait=20`)).body.events).toHaveLength(1);
});

test('200: wait ends empty after its seconds, also when the filter hides what came', async () => {
  const after = await latest();
  const began = performance.now();
  const waiting = list(`?after=${after}&wait=1&types=job.rejected`);
  await newJob(studio.service, studio.key);
  expect((await waiting).body).toMatchObject({ events: [], next_after: after + 1, latest: after + 1 });
  expect(performance.now() - began).toBeGreaterThan(950);
});

test('200: events of another account are not listed', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const after = await latest(key);
  await newJob(studio.service, studio.key);
  expect((await list(`?after=${after}`, key)).body).toMatchObject({ events: [], latest: after });
});

test('400 invalid_request: an unknown type, a cursor that is no number, bounds passed', async () => {
  const bad = [
    '?types=job.exploded',
    '?types=',
    '?after=x',
    '?after=-1',
    '?after=1.5',
    '?wait=26',
    '?wait=-1',
    '?limit=0',
  ];
  for (const query of [...bad, '?limit=101', '?wait=', '?after=1&after=2', '?since=1']) {
    const { status, body } = await list(query);
    expect([status, body.error?.code], query).toEqual([400, 'invalid_request']);
  }
});

test('404 job_not_found: unknown, of another account, or no job id', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const foreign = await newJob(studio.service, key);
  for (const id of [unknownJob, foreign, 'nonsense', showId('user', studio.ada.userId)]) {
    const { status, body } = await list(`?job_id=${id}`);
    expect([status, body.error.code]).toEqual([404, 'job_not_found']);
  }
});

test('410 cursor_expired: ahead of the log, or older than what is kept', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await newJob(studio.service, key);
  const last = await latest(key);
  const answers = [await list(`?after=${last + 1}`, key), await list(`?after=${last + 1}&wait=20`, key)];
  await studio.service.context.db
    .updateTable('account_counters')
    .set({ expired_event: String(last) })
    .where('account_id', '=', person.accountId)
    .execute();
  answers.push(await list(`?after=${last - 1 || 1}`, key));
  if (last > 1)
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([410, 'cursor_expired']);
  // The beginning of the stored log is always a valid cursor.
  expect((await list('?after=0', key)).status).toBe(200);
  expect((await list(`?after=${last}`, key)).status).toBe(200);
});

test('429 rate_limit_exceeded: a polling key learns when to retry, by HTTP and MCP; its stream continues', async () => {
  const service = await createService({ RATE_READ_EVENTS: 'key=3/60' });
  const { person, key } = await newCustomer(service, 'studio');
  const read = (as: string) => service.call('GET', '/api/v1/events?limit=1', { as });
  const first = await read(key);
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60, "credential";q=100000;w=60');
  // A wait counts as one request, however long it takes.
  const { body } = await service.call('GET', `/api/v1/events?after=${first.body.latest}&wait=2`, { as: key });
  expect(body.events).toEqual([]);
  const client = await connect(service, key);
  expect((await call(client, 'wait_for_events', { limit: 1 })).isError).toBe(false);
  expect((await call(client, 'wait_for_events', { limit: 1 })).body.code).toBe('rate_limit_exceeded');
  const refused = await read(key);
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.error.retry_after_seconds));
  expect((await read(await makeKey(service, person))).status).toBe(200);
  await (await followEvents(service, key)).close();
  await client.close();
  await service.close();
});

test('every type has words for people', async () => {
  const { eventMessages } = await import('../events/event-messages.ts');
  expect(Object.keys(eventMessages)).toEqual([...accountEventTypes]);
});

test('401 unauthenticated: the key is revoked while it waits, whatever the process', async () => {
  const { service, ada } = studio;
  const other = await createService({}, { databaseUrl: service.databaseUrl });
  const [key, agents] = [await makeKey(service, ada), await makeKey(service, ada)];
  const { body } = await service.call('GET', '/api/v1/api-keys', { as: ada.token });
  const after = await latest();
  const query = `/api/v1/events?after=${after}&types=feed.restarted&wait=25`;
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const params = { name: 'wait_for_events', arguments: { after, types: ['feed.restarted'], wait: 25 } };
  const accept = { accept: 'application/json, text/event-stream' };
  const pending = [
    service.call('GET', query, { as: key }),
    other.call('GET', query, { as: key }),
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { ...accept, 'content-type': 'application/json', authorization: `Bearer ${agents}` },
      body: JSON.stringify({ ...call, params }),
    }),
  ];
  await expect.poll(() => [waits(), other.context.waits.callers().length]).toEqual([2, 1]);
  const began = performance.now();
  for (const { id } of body.api_keys.slice(0, 2))
    expect((await service.call('DELETE', `/api/v1/api-keys/${id}`, { as: ada.token })).status).toBe(200);
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(performance.now() - began).toBeLessThan(20_000);
  await other.close();
});
