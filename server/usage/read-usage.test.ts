import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createJob,
  newCustomer,
  newJob,
  sharedStudio,
  post,
  setPlan,
  type Studio,
  unknownJob,
  usedOf,
  uuidOf,
} from '../../test/support/jobs.ts';
import { sumUp } from '../../test/support/seed.ts';
import { makeKey } from '../../test/support/people.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const ask = (as: As, query = '') => service.call('GET', `/api/v1/usage${query}`, { as });
const usage = async (as: As, query = '') => {
  const { status, body } = await ask(as, query);
  expect(status).toBe(200);
  return body.usage;
};
const keyId = async (key: string) => (await service.call('GET', '/api/v1/me', { as: key })).body.auth.api_key.id;
const cancel = (as: As, id: string) => post(service, as, `/api/v1/jobs/${id}/cancel`);
const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The service may not change ledger rows, so a test that needs an older one grants itself the right. */
async function backdate(jobId: string, at: string): Promise<void> {
  await service.context.db.transaction().execute(async (trx) => {
    await sql`grant update on usage_ledger to current_user`.execute(trx);
    await sql`update usage_ledger set created_at = ${at} where job_id = ${uuidOf('job', jobId)}`.execute(trx);
    const { account_id } = await trx
      .selectFrom('jobs')
      .select('account_id')
      .where('id', '=', uuidOf('job', jobId))
      .executeTakeFirstOrThrow();
    await sumUp(trx, account_id);
  });
}

test('200 without any plan: zeros over the calendar month', async () => {
  const { key } = await newCustomer(service);
  const now = new Date();
  const month = (ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
  expect(await usage(key)).toEqual({
    period: { start: month(0), end: month(1) },
    range: null,
    totals: { quantity: 0, quota: 0, remaining: 0, unit: 'job' },
    summaries: { by_entitlement: [], by_service_family: [], by_api_key: [] },
    buckets: [],
    recent_events: [],
    quota_adjustments: [],
  });
});

test('200 sums the current periods of all plans, by plan, family and key', async () => {
  const { person, key } = await newCustomer(service, 'agent', 'solo');
  const other = await makeKey(service, person);
  const writing = { service_family: 'writing', service_type: 'blog_article' };
  await newJob(service, key);
  await newJob(service, key, writing);
  await newJob(service, other);
  await newJob(service, person.token);
  const canceled = await newJob(service, key);
  await cancel(key, canceled);
  await setPlan(service, person, 'solo', { endsIn: 24 });

  const all = await usage(key);
  expect(await usage(person.token)).toEqual(all);
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: key });
  const solo = body.entitlements.find(({ plan_code }: { plan_code: string }) => plan_code === 'solo');
  expect(all.period).toEqual(solo.period);
  expect(all.totals).toEqual({ quantity: 4, quota: 105, remaining: 101, unit: 'job' });
  expect(all.summaries).toEqual({
    by_entitlement: [
      { key: 'agent', quantity: 3, quota: 100, remaining: 97 },
      { key: 'solo', quantity: 1, quota: 5, remaining: 4 },
    ],
    by_service_family: [
      { key: 'design', quantity: 3 },
      { key: 'writing', quantity: 1 },
    ],
    by_api_key: expect.arrayContaining([
      {
        api_key_id: await keyId(key),
        name: expect.any(String),
        prefix: expect.any(String),
        status: 'active',
        quantity: 2,
      },
      {
        api_key_id: await keyId(other),
        name: expect.any(String),
        prefix: expect.any(String),
        status: 'active',
        quantity: 1,
      },
    ]),
  });
  expect(all.summaries.by_api_key).toHaveLength(2);
  const day = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
  expect(all.buckets).toEqual([{ start: day, end: new Date(Date.parse(day) + 86_400_000).toISOString(), quantity: 4 }]);
  expect(all.recent_events).toHaveLength(6);
  expect(all.recent_events[0]).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    type: 'job.released',
    job_id: canceled,
    service_family: 'design',
    plan_code: 'agent',
    api_key_id: await keyId(key),
    quantity: -1,
    unit: 'job',
    created_at: isTime,
  });
  expect(all.recent_events[2]).toMatchObject({ type: 'job.created', plan_code: 'solo', api_key_id: null });
});

test('200 tells the two keys of a rotation apart, which have one name', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  await newJob(service, key);
  const old = await keyId(key);
  const rotated = await service.call('POST', `/api/v1/api-keys/${old}/rotate`, {
    as: person.token,
    body: { overlap_hours: 0 },
  });
  await newJob(service, rotated.body.plaintext_key);
  const { api_key, replaced } = rotated.body;
  expect(replaced).toMatchObject({ name: api_key.name, status: 'expired' });
  expect((await usage(person.token)).summaries.by_api_key).toEqual([
    { api_key_id: old, name: api_key.name, prefix: replaced.prefix, status: 'expired', quantity: 1 },
    { api_key_id: api_key.id, name: api_key.name, prefix: api_key.prefix, status: 'active', quantity: 1 },
  ]);
  expect(replaced.prefix).not.toBe(api_key.prefix);
});

test('200 keeps remaining at zero where a quota shrank below what was used, per plan', async () => {
  const { person, key } = await newCustomer(service, 'agent', 'solo');
  await newJob(service, key);
  await newJob(service, key);
  await setPlan(service, person, 'agent', { quota: 1 });
  expect((await usage(key)).totals).toEqual({ quantity: 2, quota: 6, remaining: 5, unit: 'job' });
});

test('200 omits a plan that is no longer active, and starts a new period at zero', async () => {
  const { person, key } = await newCustomer(service, 'agent', 'solo');
  await newJob(service, key);
  await newJob(service, person.token);
  await setPlan(service, person, 'solo', { status: 'canceled' });
  expect((await usage(key)).summaries.by_entitlement).toEqual([
    { key: 'agent', quantity: 1, quota: 100, remaining: 99 },
  ]);
  await setPlan(service, person, 'agent', { renewed: true });
  const after = await usage(key);
  expect(after.totals).toEqual({ quantity: 0, quota: 100, remaining: 100, unit: 'job' });
  expect(after.buckets).toEqual([]);
  expect(after.recent_events).toHaveLength(2);
});

test('200 counts a job canceled in a later period against its own: the new one is not touched', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  const id = await newJob(service, key);
  await setPlan(service, person, 'agent', { renewed: true });
  await cancel(key, id);
  expect((await usage(key)).totals).toMatchObject({ quantity: 0, remaining: 100 });
  expect(await usedOf(service, person)).toEqual({ agent: 0 });
});

describe('with a range', () => {
  const at = (day: number, time = '12:00:00.000') => `2026-03-0${day}T${time}Z`;

  test('200 counts [period_start, period_end) by day; quota and remaining stay current', async () => {
    const { person, key } = await newCustomer(service, 'agent', 'solo');
    const ids = [await newJob(service, key), await newJob(service, key), await newJob(service, person.token)];
    await backdate(ids[0]!, at(1));
    await backdate(ids[1]!, at(2, '00:00:00.000'));
    await backdate(ids[2]!, at(2, '23:59:59.999'));
    await cancel(key, ids[1]!);
    await setPlan(service, person, 'solo', { status: 'canceled' });
    const bucket = (day: number, quantity: number) => ({
      start: at(day, '00:00:00.000'),
      end: at(day + 1, '00:00:00.000'),
      quantity,
    });
    const both = await usage(key, `?period_start=${at(1)}&period_end=${at(3, '00:00:00.000')}`);
    expect(both.buckets).toEqual([bucket(1, 1), bucket(2, 2)]);
    expect(both.totals).toEqual({ quantity: 3, quota: 100, remaining: 99, unit: 'job' });
    expect(both.summaries.by_entitlement).toEqual([
      { key: 'agent', quantity: 2, quota: 100, remaining: 99 },
      { key: 'solo', quantity: 1, quota: 0, remaining: 0 },
    ]);
    expect(both.summaries.by_api_key).toEqual([
      {
        api_key_id: await keyId(key),
        name: expect.any(String),
        prefix: expect.any(String),
        status: 'active',
        quantity: 2,
      },
    ]);
    expect(both.recent_events.map(({ job_id }: { job_id: string }) => job_id)).toEqual(ids.toReversed());

    const quantity = async (query: string) => (await usage(key, query)).totals.quantity;
    expect(await quantity(`?period_start=${at(1)}&period_end=${at(1)}`)).toBe(0);
    expect(await quantity(`?period_start=${at(1)}&period_end=${at(1, '12:00:00.001')}`)).toBe(1);
    expect(await quantity(`?period_end=${at(2, '00:00:00.000')}`)).toBe(1);
    expect(await quantity(`?period_start=${at(2, '00:00:00')}`)).toBe(1);
    expect(await quantity(`?period_start=${at(3)}`)).toBe(-1);
  });

  test('200 leaves out what happened at period_end itself, in sums and in recent_events', async () => {
    const { key } = await newCustomer(service, 'agent');
    const [noon, late] = [await newJob(service, key), await newJob(service, key)];
    await backdate(noon, at(1));
    await backdate(late, at(2, '23:59:59.999'));
    const counted = async (query: string) => {
      const { totals, recent_events, buckets } = await usage(key, query);
      const days = buckets.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0);
      return [totals.quantity, days, recent_events.length];
    };
    expect(await counted(`?period_start=${at(1, '00:00:00.000')}&period_end=${at(1)}`)).toEqual([0, 0, 0]);
    expect(await counted(`?period_end=${at(1)}`)).toEqual([0, 0, 0]);
    expect(await counted(`?period_start=${at(1)}&period_end=${at(2, '23:59:59.999')}`)).toEqual([1, 1, 1]);
    expect(await counted(`?period_start=${at(1)}&period_end=${at(3, '00:00:00.000')}`)).toEqual([2, 2, 2]);
  });

  test('200 takes bounds with and without a fraction', async () => {
    const query = '?period_start=2026-03-01T00:00:00Z&period_end=2026-03-01T00:00:00.500Z';
    expect((await usage(studio.key, query)).totals.quantity).toBe(0);
  });

  test.each([
    'period_start=yesterday',
    'period_start=2026-02-30T00:00:00Z',
    'period_end=2016-12-31T23:59:60Z',
    'period_end=2026-01-01',
    'period_start=0000-01-01T00:00:00Z',
    'period_start=',
    `period_start=${at(2)}&period_end=${at(1)}`,
    `period_start=${at(1)}&period_start=${at(1)}`,
    `job_id=${unknownJob}&job_id=${unknownJob}`,
  ])('400 invalid_request: %s', async (query) => {
    const { status, body } = await ask(studio.key, `?${query}`);
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  });
});

test('200 with job_id: only the usage of that job', async () => {
  const { key } = await newCustomer(service, 'agent');
  const id = await newJob(service, key);
  const other = await newJob(service, key);
  await cancel(key, other);
  const one = await usage(key, `?job_id=${id}`);
  expect(one.totals).toEqual({ quantity: 1, quota: 100, remaining: 99, unit: 'job' });
  expect(one.recent_events).toMatchObject([{ job_id: id }]);
  const none = await usage(key, `?job_id=${other}`);
  expect(none.totals.quantity).toBe(0);
  expect(none.recent_events).toHaveLength(2);
  expect((await usage(key, `?job_id=${id}&period_end=2026-01-01T00:00:00Z`)).recent_events).toEqual([]);
});

test('404 job_not_found: an unknown job, one of another account, and what is no job id', async () => {
  const { key } = await newCustomer(service, 'agent');
  for (const id of [unknownJob, await newJob(service, key), 'nonsense', '']) {
    const { status, body } = await ask(studio.key, `?job_id=${id}`);
    expect([status, body.error.code], id).toEqual([404, 'job_not_found']);
  }
});

test('200 with the newest 20 events, newest first; replays and refusals leave none', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  const ids = [];
  for (let n = 0; n < 8; n++) {
    ids.push(await newJob(service, key));
    await cancel(key, ids.at(-1)!);
  }
  for (let n = 0; n < 6; n++) ids.push(await newJob(service, key));
  await setPlan(service, person, 'agent', { quota: 0 });
  expect((await createJob(service, key)).status).toBe(403);
  const { recent_events, totals } = await usage(key);
  expect(totals.quantity).toBe(6);
  expect(recent_events).toHaveLength(20);
  const newest = recent_events.slice(0, 6).map(({ job_id }: { job_id: string }) => job_id);
  expect(newest).toEqual(ids.slice(-6).toReversed());
  const times = recent_events.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
});
