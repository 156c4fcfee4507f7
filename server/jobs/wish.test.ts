import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../db/idempotency.ts';
import { createJob, draft, newCustomer, newJob, post, readJob, uuidOf } from '../../test/support/jobs.ts';
import { closeAccount } from '../../test/support/people.ts';
import { closeDeliveries, createDeliveries, type Deliveries } from '../../test/support/webhooks.ts';
import { claim, makeWorker } from '../../test/support/workers.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const get = (path: string, as = studio.key) => studio.service.call('GET', path, { as });
const wanted_by = '2999-12-05T12:00:00.000Z';
const past = '2020-01-01T00:00:00Z';
const fault = { code: 'invalid_request', details: [{ location: '/wanted_by', message: 'must be in the future' }] };

describe('a job with a wish', () => {
  test('201: the job and the list have it, in UTC, and a move leaves it', async () => {
    const id = await newJob(studio.service, studio.key, { wanted_by: '2999-12-05T14:00+02:00' });
    const { job } = await readJob(studio.service, studio.key, id);
    expect(job).toMatchObject({ wanted_by });
    const listed = (await get('/api/v1/jobs?limit=1')).body.jobs;
    expect(listed).toMatchObject([{ id, wanted_by }]);
    const canceled = await post(studio.service, studio.key, `/api/v1/jobs/${id}/cancel`);
    expect(canceled.body.job).toMatchObject({ wanted_by });
    const short = await newJob(studio.service, studio.key, { wanted_by: '29991205t140000+02' });
    expect((await readJob(studio.service, studio.key, short)).job).toMatchObject({ wanted_by });
  });

  test('201 for a wish before the planned delivery, which stays as planned', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const ids = [
      await newJob(studio.service, studio.key, { wanted_by: soon }),
      await newJob(studio.service, studio.key),
    ];
    const [wished, other] = await Promise.all(
      ids.map(async (id) => (await readJob(studio.service, studio.key, id)).job),
    );
    expect(wished).toMatchObject({ wanted_by: soon });
    expect(other).toMatchObject({ wanted_by: null });
    const planned = ({ created_at, due_at }: { created_at: string; due_at: string }) =>
      Date.parse(due_at) - Date.parse(created_at);
    expect(planned(wished)).toBe(planned(other));
  });

  test('201: null is no wish, with files as well', async () => {
    const { body } = await createJob(studio.service, studio.key, { wanted_by: null, file_ids: [] });
    expect((await readJob(studio.service, studio.key, body.job.id)).job).toMatchObject({ wanted_by: null });
  });

  test('the same Idempotency-Key with another wish is a conflict', async () => {
    const create = (wish: string) => createJob(studio.service, studio.key, { wanted_by: wish }, 'wish');
    expect((await create(wanted_by)).status).toBe(201);
    expect((await create(wanted_by)).status).toBe(200);
    expect((await create('2999-12-06T12:00:00Z')).body.error.code).toBe('idempotency_key_conflict');
  });

  test('a replay gives the same job when the time of the wish has come', async () => {
    const { body } = await createJob(studio.service, studio.key, { wanted_by }, 'passing');
    // As if the wish of the first request had been the passed one.
    const passed = { wanted_by: past };
    await studio.service.context.db
      .updateTable('idempotency_keys')
      .set({ fingerprint: fingerprint({ ...draft, ...passed }) })
      .where('key', '=', 'passing')
      .execute();
    const replayed = await createJob(studio.service, studio.key, passed, 'passing');
    expect(replayed).toMatchObject({ status: 200, body: { job: { id: body.job.id } } });
  });
});

describe('a wish that cannot be', () => {
  test('422 invalid_request: a time that has passed, on create and preflight, before plan and quota', async () => {
    const { key } = await newCustomer(studio.service);
    for (const as of [studio.key, key]) {
      const created = await createJob(studio.service, as, { wanted_by: past });
      const checked = await studio.service.call('POST', '/api/v1/jobs/preflight', {
        as,
        body: { ...draft, wanted_by: past },
      });
      for (const { status, body } of [created, checked]) expect([status, body.error]).toMatchObject([422, fault]);
    }
  });

  test('422 invalid_request: a passed time beside drafts of the same moment, which are created', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const wishes = [undefined, past, wanted_by, past, undefined];
    const answers = await Promise.all(
      wishes.map((wish) => createJob(studio.service, key, wish === undefined ? {} : { wanted_by: wish })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 201, 422, 201]);
    expect((await get('/api/v1/usage', key)).body.usage.totals.quantity).toBe(3);
  });

  test.each(['tomorrow', '2999-12-05', '2999-02-30T00:00:00Z', 5, ''])('422 invalid_request: %j', async (wish) => {
    const { status, body } = await createJob(studio.service, studio.key, { wanted_by: wish });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect(body.error.details).toMatchObject([{ location: '/wanted_by' }]);
  });
});

describe('preflight', () => {
  const preflight = async (changes: object) =>
    (await studio.service.call('POST', '/api/v1/jobs/preflight', { as: studio.key, body: { ...draft, ...changes } }))
      .body.preflight;

  test('200 without a wish: null', async () => {
    expect((await preflight({})).wanted_by).toBe(null);
  });

  test('200: a wish fits from the planned delivery on, and one that does not blocks nothing', async () => {
    const { wanted_by: late, blocking_reasons } = await preflight({ wanted_by });
    expect(late).toMatchObject({ fits: true });
    const early = await preflight({ wanted_by: new Date(Date.now() + 3_600_000).toISOString() });
    expect(early.wanted_by).toMatchObject({ fits: false });
    expect(early.blocking_reasons).toEqual(blocking_reasons);
    const id = await newJob(studio.service, studio.key);
    const { due_at } = (await readJob(studio.service, studio.key, id)).job;
    expect(Math.abs(Date.parse(due_at) - Date.parse(early.wanted_by.earliest))).toBeLessThan(60_000);
    expect((await preflight({ wanted_by: new Date(Date.parse(due_at) + 60_000).toISOString() })).wanted_by.fits).toBe(
      true,
    );
  });
});

describe('who sees it', () => {
  test('the desk and workers', async () => {
    const service = { service_family: 'research', service_type: 'fact_check' };
    const id = await newJob(studio.service, studio.key, { ...service, wanted_by });
    const { token: operator } = studio.operator;
    const read = await get(`/api/operator/v1/jobs/${id}`, operator);
    const listed = await get('/api/operator/v1/jobs?service_family=research&limit=100', operator);
    const worker = await makeWorker(studio, ['research']);
    const claimed = await claim(studio, worker);
    for (const { body } of [read, claimed]) expect(body.job).toMatchObject({ id, wanted_by });
    expect(listed.body.jobs).toMatchObject([{ id, wanted_by }]);
  });

  test('the export of a person has it, and closing the account erases it', async () => {
    const { person, key } = await newCustomer(studio.service, 'studio');
    const id = await newJob(studio.service, person.token, { wanted_by });
    await newJob(studio.service, key);
    expect((await get('/api/auth/export', person.token)).body.jobs).toMatchObject([{ wanted_by }]);
    await closeAccount(studio.service, person);
    const { db } = studio.service.context;
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', uuidOf('job', id)).executeTakeFirstOrThrow();
    expect(job.wanted_by).toBe(null);
  });
});
