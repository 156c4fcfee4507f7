import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { followEvents } from '../../test/support/event-stream.ts';
import {
  createJob,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  readJob,
  setPlan,
  tryMove,
  unknownJob,
  uuidOf,
} from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { closeAccount } from '../../test/support/people.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => {
  studio = await createDeliveries();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 1000, concurrency_limit: 1000 });
});
afterAll(() => closeDeliveries(studio));

const update = (id: string, body: object, as = studio.key, key?: string) =>
  studio.service.call('PATCH', `/api/v1/jobs/${id}`, {
    as,
    body,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });
const get = (path: string, as = studio.key) => studio.service.call('GET', path, { as });
const read = (id: string) => readJob(studio.service, studio.key, id);
const updates = async (id: string) =>
  (await read(id)).events.filter(({ type }: { type: string }) => type === 'job.updated');

const wanted_by = '2999-12-05T12:00:00.000Z';
const past = '2020-01-01T00:00:00Z';
const token = `sk_live_${'a1B2'.repeat(6)}`;

describe('200', () => {
  test('all three, with one event that names the fields and nothing that they hold', async () => {
    const id = await newJob(studio.service, studio.key);
    const before = await read(id);
    const { status, body } = await update(id, { reference: 'PO-7', metadata: { campaign: 'spring' }, wanted_by });
    expect([status, Object.keys(body)]).toEqual([200, ['job']]);
    const after = await read(id);
    expect(body.job).toEqual(after.job);
    expect(after.job).toEqual({
      ...before.job,
      reference: 'PO-7',
      metadata: { campaign: 'spring' },
      wanted_by,
      updated_at: expect.any(String),
    });
    expect(after.job.updated_at > before.job.updated_at).toBe(true);
    expect(after.events).toHaveLength(before.events.length + 1);
    expect(after.events.at(-1)).toMatchObject({
      type: 'job.updated',
      actor: 'customer',
      data: { changed: ['reference', 'metadata', 'wanted_by'] },
      job: { status: 'queued', previous_status: 'queued', reference: 'PO-7' },
    });
    expect(JSON.stringify(after.events.at(-1).data)).not.toMatch(/PO-7|spring|2999/);
  });

  test('what the body leaves out stays, and metadata is replaced as a whole', async () => {
    const id = await newJob(studio.service, studio.key, { reference: 'A', metadata: { a: '1', b: '2' }, wanted_by });
    expect((await update(id, { metadata: { b: '3' } })).body.job).toMatchObject({ reference: 'A', wanted_by });
    expect((await read(id)).job.metadata).toEqual({ b: '3' });
    expect(await updates(id)).toMatchObject([{ data: { changed: ['metadata'] } }]);
  });

  test('null clears', async () => {
    const id = await newJob(studio.service, studio.key, { reference: 'A', metadata: { a: '1' }, wanted_by });
    const { body } = await update(id, { reference: null, metadata: null, wanted_by: null });
    expect(body.job).toMatchObject({ reference: null, metadata: {}, wanted_by: null });
    expect(body.job.metadata).toEqual({});
  });

  test('a value that is already so changes nothing: no event, no write', async () => {
    const id = await newJob(studio.service, studio.key, { reference: 'A', metadata: { a: '1', b: '2' }, wanted_by });
    const before = await read(id);
    for (const same of [
      {},
      { reference: 'A' },
      { metadata: { b: '2', a: '1' } },
      { wanted_by: '2999-12-05T14:00:00+02:00' },
      { reference: 'A', metadata: { a: '1', b: '2' }, wanted_by },
    ])
      expect(await update(id, same)).toMatchObject({ status: 200, body: { job: before.job } });
    expect(await read(id)).toEqual(before);
    const bare = await newJob(studio.service, studio.key);
    await update(bare, { reference: null, metadata: null, wanted_by: null });
    expect(await updates(bare)).toEqual([]);
  });

  test('a wish whose time has come may be sent again and taken back', async () => {
    const id = await newJob(studio.service, studio.key, { wanted_by });
    const { db } = studio.service.context;
    await db.updateTable('jobs').set({ wanted_by: past }).where('id', '=', uuidOf('job', id)).execute();
    expect((await update(id, { wanted_by: past, reference: 'B' })).body.job.wanted_by).toBe('2020-01-01T00:00:00.000Z');
    expect((await update(id, { wanted_by: '2019-01-01T00:00:00Z' })).status).toBe(422);
    expect((await update(id, { wanted_by: null })).body.job.wanted_by).toBe(null);
  });

  test.each(['queued', 'accepted', 'running', 'needs_review', 'ready_for_customer_review'] as const)(
    '%s: nothing of the move, the hold or the clock changes',
    async (status) => {
      const id = await newJobIn(studio, status);
      const desk = async () => (await get(`/api/operator/v1/jobs/${id}`, studio.operator.token)).body.job;
      const before = await desk();
      expect((await update(id, { wanted_by, reference: status })).status).toBe(200);
      expect(await desk()).toEqual({ ...before, wanted_by, reference: status, updated_at: expect.any(String) });
    },
  );

  test('a session and a key may do it alike', async () => {
    const id = await newJob(studio.service, studio.key);
    expect((await update(id, { reference: 'by ada' }, studio.ada.token)).status).toBe(200);
    expect((await updates(id))[0].actor).toBe('customer');
  });

  test('a repeat under its Idempotency-Key gets the first answer; with another body it is a conflict', async () => {
    const id = await newJob(studio.service, studio.key);
    const first = await update(id, { reference: 'one' }, studio.key, `once-${id}`);
    await update(id, { reference: 'two' });
    const again = await update(id, { reference: 'one' }, studio.key, `once-${id}`);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await read(id)).job.reference).toBe('two');
    expect((await update(id, { reference: 'three' }, studio.key, `once-${id}`)).body.error.code).toBe(
      'idempotency_key_conflict',
    );
  });
});

describe('refused', () => {
  test.each(['completed', 'rejected', 'canceled'] as const)('409 invalid_transition: %s', async (status) => {
    const id = await newJobIn(studio, status);
    const before = await read(id);
    const { status: answered, body } = await update(id, { reference: 'late' });
    expect([answered, body.error.code, body.error.message]).toEqual([
      409,
      'invalid_transition',
      `A ${status} job cannot be changed.`,
    ]);
    expect(await read(id)).toEqual(before);
  });

  test('404 job_not_found: unknown, or of another account', async () => {
    const id = await newJob(studio.service, studio.key);
    const eve = await newCustomer(studio.service, 'studio');
    for (const [job, as] of [
      [id, eve.key],
      [id, eve.person.token],
      [unknownJob, studio.key],
      ['nonsense', studio.key],
    ] as const) {
      const { status, body } = await update(job, { reference: 'mine' }, as);
      expect([status, body.error.code]).toEqual([404, 'job_not_found']);
    }
    expect((await read(id)).job.reference).toBe(null);
  });

  test.each([
    [{ reference: '' }, '/reference'],
    [{ reference: 'x'.repeat(101) }, '/reference'],
    [{ reference: ' PO' }, '/reference'],
    [{ reference: 7 }, '/reference'],
    [{ metadata: [] }, '/metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])) }, '/metadata'],
    [{ metadata: { ['k'.repeat(41)]: '' } }, '/metadata'],
    [{ metadata: { a: 'x'.repeat(501) } }, '/metadata/a'],
    [{ metadata: { a: 'NUL \0' } }, '/metadata/a'],
    [{ wanted_by: 'tomorrow' }, '/wanted_by'],
    [{ wanted_by: '2999-12-05' }, '/wanted_by'],
    [{ wanted_by: past }, '/wanted_by'],
    [{ customer_title: 'Another' }, '/customer_title'],
  ])('422 invalid_request names the place: %j', async (changes, location) => {
    const id = await newJob(studio.service, studio.key);
    const { status, body } = await update(id, { reference: 'kept out', ...changes });
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', location]);
    expect(body.error.details[0].message).not.toContain('undefined');
    expect(await updates(id)).toEqual([]);
  });

  test.each([
    [{ reference: token }, '/reference'],
    [{ metadata: { note: `Use ${token}` } }, '/metadata/note'],
    [{ metadata: { [token]: 'x' } }, '/metadata'],
  ])('422 unsafe_request, without the secret: %j', async (changes, location) => {
    const id = await newJob(studio.service, studio.key);
    const { status, body } = await update(id, changes);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'unsafe_request', location]);
    expect(JSON.stringify(body)).not.toContain(token);
    expect(await updates(id)).toEqual([]);
  });
});

describe('several at once', () => {
  test('each field of two changes of one moment stands, in two events', async () => {
    const id = await newJob(studio.service, studio.key);
    await Promise.all([update(id, { reference: 'A' }), update(id, { metadata: { a: '1' } })]);
    expect((await read(id)).job).toMatchObject({ reference: 'A', metadata: { a: '1' } });
    expect((await read(id)).events.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
  });

  test('a change that waits for the end of its job is refused', async () => {
    const id = await newJobIn(studio, 'ready_for_customer_review');
    const { db } = studio.service.context;
    let waiting: ReturnType<typeof update> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('jobs').select('id').where('id', '=', uuidOf('job', id)).forUpdate().execute();
      const ending = tryMove(studio, id, 'approve');
      await untilBlocked(db);
      waiting = update(id, { reference: 'late' });
      await untilBlocked(db, 2);
      void ending;
    });
    expect((await waiting)?.body.error.code).toBe('invalid_transition');
    expect((await read(id)).job).toMatchObject({ status: 'completed', reference: null });
  });

  test('approvals and changes of one moment: whichever is first, the log tells the same as the job', async () => {
    for (let n = 0; n < 5; n++) {
      const id = await newJobIn(studio, 'ready_for_customer_review');
      const [changed] = await Promise.all([update(id, { reference: 'now' }), tryMove(studio, id, 'approve')]);
      const { job, events } = await read(id);
      expect([200, 409]).toContain(changed.status);
      expect(job).toMatchObject({ status: 'completed', reference: changed.status === 200 ? 'now' : null });
      expect(events.filter(({ type }: { type: string }) => type === 'job.updated')).toHaveLength(
        changed.status === 200 ? 1 : 0,
      );
      expect(events.at(-1).type).toBe('job.completed');
    }
  });
});

describe('who learns of it', () => {
  test('feed, stream, long poll and webhooks; earlier events have the new reference, too', async () => {
    const { person, key } = await newCustomer(studio.service, 'studio');
    await newEndpoint(studio, { types: ['job.updated'] }, person.token);
    const id = await newJob(studio.service, key, { reference: 'old' });
    const stream = await followEvents(studio.service, key);
    expect((await stream.next())?.event).toBe('open');
    const { latest } = (await get('/api/v1/events', key)).body;
    const poll = get(`/api/v1/events?after=${latest}&types=job.updated&wait=10`, key);
    studio.receiver.received.length = 0;
    await update(id, { reference: 'new', metadata: { campaign: 'spring' } }, key);
    const [streamed] = await stream.events(1);
    await stream.close();
    const polled = (await poll).body.events[0];
    const listed = (await get(`/api/v1/jobs/${id}/events`, key)).body.events;
    await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 30_000 });
    for (const event of [streamed?.data, polled, listed.at(-1), studio.receiver.received[0]?.event])
      expect(event).toMatchObject({
        type: 'job.updated',
        data: { changed: ['reference', 'metadata'] },
        job: { reference: 'new' },
      });
    expect(JSON.stringify([listed, streamed])).not.toMatch(/"old"|spring/);
  });

  test('the list finds the job by its new reference at once, and no longer by the old one', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const id = await newJob(studio.service, key, { reference: 'old' });
    await update(id, { reference: 'new' }, key);
    expect((await get('/api/v1/jobs?reference=old', key)).body.jobs).toEqual([]);
    expect((await get('/api/v1/jobs?reference=new', key)).body.jobs).toMatchObject([{ id }]);
  });

  test('the desk sees reference, wish and event, never the metadata', async () => {
    const id = await newJobIn(studio, 'running');
    await update(id, { reference: 'seen', wanted_by, metadata: { campaign: 'spring' } });
    const { body } = await get(`/api/operator/v1/jobs/${id}`, studio.operator.token);
    expect(body.job).toMatchObject({ reference: 'seen', wanted_by });
    expect(body.events.at(-1)).toMatchObject({
      type: 'job.updated',
      data: { changed: ['reference', 'metadata', 'wanted_by'] },
    });
    expect(JSON.stringify(body)).not.toContain('spring');
  });

  test('nobody is notified or mailed', async () => {
    const id = await newJobIn(studio, 'running');
    const { body: before } = await get('/api/auth/notifications', studio.operator.token);
    const mails = studio.service.emails.length;
    await update(id, { reference: 'quiet' });
    expect(studio.service.emails).toHaveLength(mails);
    expect((await get('/api/auth/notifications', studio.operator.token)).body).toEqual(before);
  });

  test('a repeat of its creation answers as before, and the change stays', async () => {
    const { body: created } = await createJob(studio.service, studio.key, { reference: 'A' }, 'first-order');
    await update(created.job.id, { reference: 'B' });
    const repeated = await createJob(studio.service, studio.key, { reference: 'A' }, 'first-order');
    expect([repeated.status, repeated.body]).toEqual([200, created]);
    expect((await read(created.job.id)).job.reference).toBe('B');
  });

  test('the export of a person has the change, and closing the account erases it', async () => {
    const { person, key } = await newCustomer(studio.service, 'studio');
    const id = await newJob(studio.service, person.token);
    await update(id, { reference: 'mine', metadata: { a: 'mine' }, wanted_by }, person.token);
    expect((await get('/api/auth/export', person.token)).body.jobs).toMatchObject([
      { reference: 'mine', metadata: { a: 'mine' }, wanted_by },
    ]);
    await makeMoves({ ...studio, key }, id, 'cancel');
    await closeAccount(studio.service, person);
    const { db } = studio.service.context;
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', uuidOf('job', id)).executeTakeFirstOrThrow();
    expect(job).toMatchObject({ reference: null, metadata: {}, wanted_by: null });
    const keys = await db
      .selectFrom('idempotency_keys')
      .select('key')
      .where('account_id', '=', job.account_id)
      .execute();
    expect(keys).toEqual([]);
  });
});
