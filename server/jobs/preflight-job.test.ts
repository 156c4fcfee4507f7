import { beforeAll, describe, expect, test } from 'vitest';
import {
  createJob,
  draft,
  newCustomer,
  newJob,
  sharedStudio,
  post,
  setPlan,
  type Studio,
} from '../../test/support/jobs.ts';
import { newFile, presign, someBytes, unknownFile } from '../../test/support/files.ts';
import { makeKey, type TestPerson } from '../../test/support/people.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const ask = (as: As, changes: object = {}) => post(service, as, '/api/v1/jobs/preflight', { ...draft, ...changes });
const preflight = async (as: As, changes: object = {}) => {
  const { status, body } = await ask(as, changes);
  expect(status).toBe(200);
  return body.preflight;
};
const codes = async (as: As, changes: object = {}) =>
  (await preflight(as, changes)).blocking_reasons.map(({ code }: { code: string }) => code);

/** Instructions that answer every requirement of the family. */
async function complete(family = 'design'): Promise<string> {
  const { body } = await service.call('GET', '/api/v1/catalog');
  const found = body.service_families.find(({ id }: { id: string }) => id === family);
  return found.intake_requirements.map((label: string) => `${label}: as agreed with you by phone`).join('\n');
}

test('200 ready: every field, and nothing written or consumed', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  const customer_instructions = await complete();
  await newJob(service, key);
  for (let n = 0; n < 2; n++)
    expect(await preflight(key, { customer_instructions })).toEqual({
      ready_to_create: true,
      blocking_reasons: [],
      intent_check: { ready: true, missing_intake_requirements: [], quality_signals: expect.any(Array) },
      usage: { used: 1, quota: 100, remaining: 99, unit: 'job' },
      concurrency: { active_jobs: 1, limit: 10, remaining: 9, allowed: true },
      first_delivery_at: expect.stringMatching(/Z$/),
      wanted_by: null,
      rate_limit_policy: {
        route: 'POST /api/v1/jobs',
        account: { limit: 100_000, window_seconds: 60 },
        key: { limit: 100_000, window_seconds: 60 },
        checked_without_consuming: true,
      },
    });
  expect((await service.call('GET', '/api/v1/jobs', { as: person.token })).body.jobs).toHaveLength(1);
});

test('422 invalid_request, as create says it: each file that is unknown, not uploaded or part of a job', async () => {
  const { key } = await newCustomer(service, 'agent');
  const used = (await newFile(service, key, someBytes())).id;
  const pending = (await presign(service, key, someBytes())).body.file.id;
  await newJob(service, key, { file_ids: [used] });
  const file_ids = [used, unknownFile, pending];
  const [first, second] = [await ask(key, { file_ids }), await createJob(service, key, { file_ids })];
  for (const { status, body } of [first, second]) {
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect(body.error.details).toEqual([
      { location: '/file_ids/0', message: 'names a file that is already part of a job' },
      { location: '/file_ids/1', message: 'names no file that you may use here' },
      { location: '/file_ids/2', message: 'names a file that is pending_upload' },
    ]);
  }
});

test('200 for a read-only key', async () => {
  expect((await ask(await makeKey(service, studio.ada, ['api:read']))).status).toBe(200);
});

test('200 names missing intake answers, which create accepts', async () => {
  const { ready_to_create, blocking_reasons, intent_check } = await preflight(studio.key);
  expect(ready_to_create).toBe(false);
  const checked = await service.call('POST', '/api/v1/catalog/intent-check', { body: draft });
  expect(intent_check).toEqual(checked.body.intent_check);
  expect(intent_check.missing_intake_requirements).toContain('Target audience');
  expect(blocking_reasons).toEqual([
    { code: 'intake_incomplete', message: expect.stringContaining('Target audience'), action: expect.any(String) },
  ]);
  expect((await createJob(service, studio.key)).status).toBe(201);
});

test('200 ready for a draft that lacks only what is optional', async () => {
  const answers = ['Brand name: Rise', 'Target audience: families', 'Style preferences: warm'];
  const written = async (...lines: string[]) =>
    (await ask(studio.key, { customer_instructions: lines.join('\n') })).body.preflight;
  expect(await written(...answers, 'Where it will be used: signs')).toMatchObject({
    ready_to_create: true,
    blocking_reasons: [],
    intent_check: { ready: true, missing_intake_requirements: ['Existing brand assets'] },
  });
  expect((await written(...answers)).blocking_reasons).toMatchObject([
    { code: 'intake_incomplete', message: 'The instructions do not answer: Where it will be used.' },
  ]);
});

test('200 names every obstacle, in the order in which create checks', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  await newJob(service, key);
  await setPlan(service, person, 'agent', { quota: 1, concurrency_limit: 1 });
  expect(await preflight(key)).toMatchObject({
    ready_to_create: false,
    blocking_reasons: [
      { code: 'quota_exceeded' },
      { code: 'concurrency_limit_exceeded' },
      { code: 'intake_incomplete' },
    ],
    usage: { used: 1, quota: 1, remaining: 0 },
    concurrency: { active_jobs: 1, limit: 1, remaining: 0, allowed: false },
  });
});

test.each([
  [{ status: 'paused' }, 'The plan Agent is paused.', 'resume it with POST /api/checkout/portal'],
  [
    { status: 'past_due', endsIn: -1 },
    'The payment for the plan Agent is overdue.',
    'pay it with POST /api/checkout/portal',
  ],
  [
    { status: 'past_due', state: 'active', serves_until: new Date(0) },
    'The plan Agent is not paid.',
    'pay it with POST /api/checkout/portal',
  ],
  [
    { status: 'stopped' },
    'The plan Agent has stopped, because it is not paid.',
    'pay it with POST /api/checkout/portal',
  ],
  [
    { collection_paused: true, serves_until: new Date(0) },
    'The plan Agent has stopped, because its payment is paused.',
    'ask the studio about it.',
  ],
  [{ status: 'paused', ends_at: new Date(0) }, 'no active plan that serves API keys', 'start a plan'],
  [{ status: 'canceled' }, 'no active plan that serves API keys', 'start a plan that serves API keys'],
] as const)(
  '200 with entitlement_required for a plan that is %j: how it serves again, as create says',
  async (change, message, action) => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', change);
    const customer_instructions = await complete();
    const [reason] = (await preflight(key, { customer_instructions })).blocking_reasons;
    expect(reason).toEqual({
      code: 'entitlement_required',
      message: expect.stringContaining(message),
      action: expect.stringContaining(action),
    });
    const { error } = (await createJob(service, key, { customer_instructions })).body;
    expect({ code: error.code, message: error.message, action: error.action }).toEqual(reason);
  },
);

describe('as create decides', () => {
  type Scene = [name: string, code: string | null, set: (person: TestPerson, key: string) => Promise<unknown>];
  const scenes: Scene[] = [
    ['room', null, async () => {}],
    ['canceled', 'entitlement_required', (ada) => setPlan(service, ada, 'agent', { status: 'canceled' })],
    ['over', 'entitlement_required', (ada) => setPlan(service, ada, 'agent', { endsIn: -25 })],
    ['in grace', null, (ada) => setPlan(service, ada, 'agent', { endsIn: -23 })],
    ['past due', null, (ada) => setPlan(service, ada, 'agent', { status: 'past_due' })],
    [
      'past due and over',
      'entitlement_required',
      (ada) => setPlan(service, ada, 'agent', { status: 'past_due', endsIn: -1 }),
    ],
    ['paused', 'entitlement_required', (ada) => setPlan(service, ada, 'agent', { status: 'paused' })],
    ['no quota', 'quota_exceeded', (ada) => setPlan(service, ada, 'agent', { quota: 0 })],
    [
      'a quota that shrank',
      'quota_exceeded',
      async (ada, key) => {
        await newJob(service, key);
        await newJob(service, key);
        await setPlan(service, ada, 'agent', { quota: 1 });
      },
    ],
    [
      'too many active',
      'concurrency_limit_exceeded',
      async (ada, key) => {
        await newJob(service, key);
        await newJob(service, key);
        await setPlan(service, ada, 'agent', { concurrency_limit: 1 });
      },
    ],
  ];

  test.each(scenes)('200 with %s: the first reason is %s, and create says the same', async (_, code, set) => {
    const { person, key } = await newCustomer(service, 'agent');
    await set(person, key);
    const customer_instructions = await complete();
    const said = await preflight(key, { customer_instructions });
    expect(said.blocking_reasons[0]?.code ?? null).toBe(code);
    expect(said.ready_to_create).toBe(code === null);
    expect(said.usage.remaining).toBeGreaterThanOrEqual(0);
    expect(said.concurrency.remaining).toBeGreaterThanOrEqual(0);
    const created = await createJob(service, key, { customer_instructions });
    expect(created.body.error?.code ?? null).toBe(code);
  });

  test('200 requires a plan for the kind of caller', async () => {
    const { person, key } = await newCustomer(service, 'solo');
    expect(await codes(person.token)).toEqual(['intake_incomplete']);
    expect(await codes(key)).toEqual(['entitlement_required', 'intake_incomplete']);
    expect((await preflight(key)).usage).toMatchObject({ quota: 0, remaining: 0, used: 0 });
  });

  test('200 sums over the plans', async () => {
    const { key } = await newCustomer(service, 'solo', 'agent', 'studio');
    const { usage, concurrency } = await preflight(key);
    expect(usage).toEqual({ used: 0, quota: 600, remaining: 600, unit: 'job' });
    expect(concurrency.limit).toBe(2 + 10 + 25);
  });

  test.each([
    ['422 unsupported_service: an unknown option', 'unsupported_service', { service_type: 'x' }],
    ['422 unsafe_request: a private key', 'unsafe_request', { customer_instructions: '-----BEGIN PRIVATE KEY-----' }],
    ['422 invalid_request: a title too long', 'invalid_request', { customer_title: 'x'.repeat(201) }],
    ['422 invalid_request: an unknown field', 'invalid_request', { account_id: 'x' }],
  ])('%s, with or without a plan', async (_, code, changes) => {
    const without = await newCustomer(service);
    const answers = [
      await ask(studio.key, changes),
      await ask(without.key, changes),
      await createJob(service, studio.key, changes),
      await createJob(service, without.key, changes),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([422, code]);
      expect({ ...body.error, request_id: '' }).toEqual({ ...answers[0]?.body.error, request_id: '' });
    }
  });
});
