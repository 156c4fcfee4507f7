import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { followEvents } from '../../test/support/event-stream.ts';
import { createJob, draft, newCustomer, newJob, post, readJob, uuidOf } from '../../test/support/jobs.ts';
import { closeAccount } from '../../test/support/people.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { claim, makeWorker } from '../../test/support/workers.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const get = (path: string, as = studio.key) => studio.service.call('GET', path, { as });
const token = `sk_live_${'a1B2'.repeat(6)}`;
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, '']));

const reference = 'PO-2026/114 “Frühling” 👩‍👩‍👧';
const metadata = { campaign: 'spring', 'customer id/~1': '4711\n=\u202e', empty: '' };

describe('a job with both', () => {
  test('201: both are read with the job and after a move, and the list has the reference only', async () => {
    const id = await newJob(studio.service, studio.key, { reference, metadata });
    expect((await readJob(studio.service, studio.key, id)).job).toMatchObject({ reference, metadata });
    const listed = (await get(`/api/v1/jobs?reference=${encodeURIComponent(reference)}`)).body.jobs;
    expect(listed.map((job: { id: string }) => job.id)).toEqual([id]);
    expect(listed[0].reference).toBe(reference);
    expect(listed[0]).not.toHaveProperty('metadata');
    const canceled = await post(studio.service, studio.key, `/api/v1/jobs/${id}/cancel`);
    expect(canceled.body.job).toMatchObject({ reference, metadata });
  });

  test('201 without them: null and an empty object', async () => {
    const id = await newJob(studio.service, studio.key);
    expect((await readJob(studio.service, studio.key, id)).job).toMatchObject({ reference: null, metadata: {} });
  });

  test('201: names of JavaScript are names like others', async () => {
    const names = JSON.parse('{"constructor": "a", "toString": "b"}') as object;
    const id = await newJob(studio.service, studio.key, { metadata: names });
    expect((await readJob(studio.service, studio.key, id)).job.metadata).toEqual(names);
  });

  test('201 at the longest: 100 characters, 20 keys of 40 with 500 each', async () => {
    const longest = { reference: '𝒳'.repeat(100), metadata: { ...many(19), ['𝒳'.repeat(40)]: '𝒳'.repeat(500) } };
    const id = await newJob(studio.service, studio.key, longest);
    expect((await readJob(studio.service, studio.key, id)).job).toMatchObject(longest);
  });

  test('201: a draft with files', async () => {
    const { body } = await createJob(studio.service, studio.key, { reference, metadata, file_ids: [] });
    expect((await readJob(studio.service, studio.key, body.job.id)).job).toMatchObject({ reference, metadata });
  });

  test('the list and the counts take the reference as a filter; several jobs may share one, and cursors are bound to it', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift(await newJob(studio.service, key, { reference: 'same' }));
    await newJob(studio.service, key, { reference: 'Same' });
    await newJob(studio.service, key);
    const first = (await get('/api/v1/jobs?reference=same&limit=2', key)).body;
    const second = (await get(`/api/v1/jobs?reference=same&limit=2&cursor=${first.next_cursor}`, key)).body;
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBe(null);
    expect((await get(`/api/v1/jobs?reference=Same&cursor=${first.next_cursor}`, key)).status).toBe(400);
    expect((await get('/api/v1/jobs/counts?reference=same', key)).body.counts.queued).toBe(3);
    expect((await get('/api/v1/jobs?reference=PO-2026', key)).body.jobs).toEqual([]);
  });

  test('the same Idempotency-Key with another reference or other metadata is a conflict', async () => {
    const create = (changes: object) => createJob(studio.service, studio.key, changes, 'both');
    expect((await create({ reference, metadata: { a: '1', b: '2' } })).status).toBe(201);
    expect((await create({ metadata: { b: '2', a: '1' }, reference })).status).toBe(200);
    for (const other of [{ reference }, { metadata: { a: '1', b: '2' } }, { reference, metadata: { a: '1', b: '3' } }])
      expect((await create(other)).body.error.code).toBe('idempotency_key_conflict');
  });
});

describe('who sees them', () => {
  test('events, stream, long poll and webhooks carry the reference and no metadata', async () => {
    const { person, key } = await newCustomer(studio.service, 'studio');
    await newEndpoint(studio, { types: ['job.created'] }, person.token);
    const stream = await followEvents(studio.service, key);
    expect((await stream.next())?.event).toBe('open');
    const { latest } = (await get('/api/v1/events', key)).body;
    const poll = get(`/api/v1/events?after=${latest}&wait=10`, key);
    const id = await newJob(studio.service, key, { reference, metadata });
    const [streamed] = await stream.events(1);
    await stream.close();
    const polled = (await poll).body.events[0];
    const listed = (await get(`/api/v1/events?job_id=${id}`, key)).body.events[0];
    await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 30_000 });
    const posted = studio.receiver.received[0]?.event;
    for (const event of [streamed?.data, polled, listed, posted]) {
      expect(event.job).toMatchObject({ id, reference });
      expect(JSON.stringify(event)).not.toContain('4711');
    }
  });

  test('the desk and workers see the reference, never the metadata', async () => {
    const id = await newJob(studio.service, studio.key, {
      service_family: 'research',
      service_type: 'fact_check',
      reference,
      metadata,
    });
    const { token: operator } = studio.operator;
    const read = await get(`/api/operator/v1/jobs/${id}`, operator);
    const listed = await get('/api/operator/v1/jobs?limit=100', operator);
    expect(listed.body.jobs.find((job: { id: string }) => job.id === id)).toMatchObject({ reference });
    const worker = await makeWorker(studio, ['research']);
    const claimed = await claim(studio, worker);
    expect(claimed.body.job.id).toBe(id);
    const moved = await post(studio.service, operator, `/api/operator/v1/jobs/${id}/start`);
    for (const { body } of [read, claimed, moved]) expect(body.job).toMatchObject({ id, reference });
    for (const { body } of [read, listed, claimed, moved]) {
      expect(JSON.stringify(body)).not.toContain('4711');
      expect(body.job ?? {}).not.toHaveProperty('metadata');
    }
  });

  test('another account finds no job by the reference', async () => {
    await newJob(studio.service, studio.key, { reference: 'ours alone' });
    const { key } = await newCustomer(studio.service, 'studio');
    expect((await get('/api/v1/jobs?reference=ours%20alone', key)).body.jobs).toEqual([]);
  });

  test('closing the account erases both', async () => {
    const { person, key } = await newCustomer(studio.service, 'studio');
    const id = await newJob(studio.service, key, { reference, metadata });
    await closeAccount(studio.service, person);
    const { db } = studio.service.context;
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', uuidOf('job', id)).executeTakeFirstOrThrow();
    expect(job).toMatchObject({ reference: null, metadata: {} });
  });

  test('the export of a person has both', async () => {
    const { person } = await newCustomer(studio.service, 'studio');
    await newJob(studio.service, person.token, { reference, metadata });
    expect((await get('/api/auth/export', person.token)).body.jobs).toMatchObject([{ reference, metadata }]);
  });
});

const doors = ['/api/v1/jobs', '/api/v1/jobs/preflight', '/api/v1/catalog/intent-check'];

test.each([
  [{ reference: '' }, '/reference'],
  [{ reference: 'x'.repeat(101) }, '/reference'],
  [{ reference: ' PO' }, '/reference'],
  [{ reference: 'PO\n1' }, '/reference'],
  [{ reference: 'a\u202eb' }, '/reference'],
  [{ reference: null }, '/reference'],
  [{ reference: 7 }, '/reference'],
  [{ metadata: [] }, '/metadata'],
  [{ metadata: null }, '/metadata'],
  [{ metadata: many(21) }, '/metadata'],
  [{ metadata: { '': 'x' } }, '/metadata'],
  [{ metadata: { ['k'.repeat(41)]: 'x' } }, '/metadata'],
  [{ metadata: { 'a\u200bb': 'x' } }, '/metadata'],
  [{ metadata: { a: 'x'.repeat(501) } }, '/metadata/a'],
  [{ metadata: { 'a/b~': 1 } }, '/metadata/a~1b~0'],
  [{ metadata: { a: { b: 'c' } } }, '/metadata/a'],
  [{ metadata: { a: 'NUL \0' } }, '/metadata/a'],
])('422 invalid_request names the place, in create, preflight and the intent check: %j', async (changes, location) => {
  for (const door of doors) {
    const { status, body } = await post(studio.service, studio.key, door, { ...draft, ...changes });
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', location]);
    expect(body.error.details[0].message).not.toContain('undefined');
  }
});

test.each([
  [{ reference: token }, '/reference'],
  [{ metadata: { note: `Use ${token}` } }, '/metadata/note'],
  [{ metadata: { [token]: 'x' } }, '/metadata'],
  [{ metadata: { [token]: token } }, '/metadata'],
  [{ metadata: { card: '4242 4242 4242 4242' } }, '/metadata/card'],
  [{ reference: 'Write ransomware' }, '/reference'],
])(
  '422 unsafe_request, without the secret, in create, preflight and the intent check: %j',
  async (changes, location) => {
    for (const door of doors) {
      const { status, body } = await post(studio.service, studio.key, door, { ...draft, ...changes });
      expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'unsafe_request', location]);
      expect(JSON.stringify(body)).not.toContain(token);
    }
  },
);
