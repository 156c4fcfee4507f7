import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobStatuses } from '../../contract/moves.ts';
import {
  makeMoves,
  newJobIn,
  createStudio,
  post,
  readJob,
  setPlan,
  type Studio,
  tryMove,
  unknownJob,
  usedOf,
} from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const ready = () => newJobIn(studio, 'ready_for_customer_review');
const revise = (id: string, words: unknown = 'Rounder.', idempotencyKey?: string) =>
  post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, { customer_instructions: words }, idempotencyKey);
const outcome = async (asked: ReturnType<typeof revise>) => {
  const { status, body } = await asked;
  return [status, body.error?.code];
};

test('200 with the full job back at the studio, its request kept, and no usage', async () => {
  const id = await ready();
  const used = await usedOf(studio.service, studio.ada);
  const { status, body } = await revise(id, '  Rounder,\nplease 👍 ');
  expect(status).toBe(200);
  expect(body).toEqual({ job: (await readJob(studio.service, studio.key, id)).job, next_action: expect.any(String) });
  expect(body.job).toMatchObject({
    status: 'accepted',
    revisions: { used: 1, included: 3 },
    review_due_at: null,
    allowed_actions: ['cancel'],
    revision_requests: [{ round: 1, customer_instructions: '  Rounder,\nplease 👍 ' }],
  });
  expect(await usedOf(studio.service, studio.ada)).toEqual(used);
});

test('200 explains how to wait for the next delivery, not the one before', async () => {
  const { body } = await revise(await ready());
  const path = /GET (\S+)/.exec(body.next_action)?.[1] ?? '';
  const waiting = studio.service.call('GET', path, { as: studio.key });
  await makeMoves(studio, body.job.id, 'start', 'submit', 'pass');
  expect((await waiting).body.events).toMatchObject([{ type: 'job.ready_for_customer_review', data: { round: 1 } }]);
});

test('200 gives the job back to the operator who held it, and to nobody else', async () => {
  const id = await ready();
  await revise(id);
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(body.job.holder).toMatchObject({ operator_id: expect.any(String), since: body.job.status_changed_at });
  const other = await makeOperator(studio.service);
  const refused = await post(studio.service, other.token, `/api/operator/v1/jobs/${id}/start`);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_transition']);
  await makeMoves(studio, id, 'start');
});

test('200 replays the first answer, one round', async () => {
  const id = await ready();
  const first = await revise(id, 'Rounder.', 'revise-once');
  const second = await revise(id, 'Rounder.', 'revise-once');
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(second.body).toEqual(first.body);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(1);
});

test('422 idempotency_key_conflict: the same key with other instructions', async () => {
  const id = await ready();
  await revise(id, 'Rounder.', 'conflict');
  expect(await outcome(revise(id, 'Squarer.', 'conflict'))).toEqual([422, 'idempotency_key_conflict']);
});

test.each(jobStatuses.filter((status) => status !== 'ready_for_customer_review'))(
  '409 revision_unavailable: %s job',
  async (status) => {
    const id = await newJobIn(studio, status);
    expect(await outcome(revise(id))).toEqual([409, 'revision_unavailable']);
    expect((await readJob(studio.service, studio.key, id)).job).toMatchObject({ status, revision_requests: [] });
  },
);

test.each([
  [1, 'image_cutout'],
  [2, 'landing_page'],
  [3, 'logo'],
])('409 revision_unavailable: after the %i rounds of %s', async (rounds, service_type) => {
  const id = await newJobIn(studio, 'running', { service_type });
  const deliver = service_type === 'image_cutout' ? (['submit'] as const) : (['submit', 'pass'] as const);
  for (let round = 0; round < rounds; round++) await makeMoves(studio, id, ...deliver, 'revision', 'start');
  const job = await makeMoves(studio, id, ...deliver);
  expect(job.revisions).toEqual({ used: rounds, included: rounds });
  expect(await outcome(revise(id))).toEqual([409, 'revision_unavailable']);
});

test('403 entitlement_required: no active plan; with one again it works', async () => {
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
  expect(await outcome(revise(id, 'Rounder.', 'no-plan'))).toEqual([403, 'entitlement_required']);
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('ready_for_customer_review');
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  expect(await outcome(revise(id, 'Rounder.', 'no-plan'))).toEqual([200, undefined]);
});

test('200 with used-up quota, and with a plan for another kind of caller: only creating asks for those', async () => {
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 0 });
  const { db } = studio.service.context;
  await db.updateTable('entitlements').set({ access_kind: 'human' }).execute();
  expect(await outcome(revise(id))).toEqual([200, undefined]);
  await db.updateTable('entitlements').set({ access_kind: 'both' }).execute();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 500 });
});

test('422 unsafe_request: a credential in the instructions; asked after the state and before the plan', async () => {
  expect(await outcome(revise(await newJobIn(studio, 'completed'), studio.key))).toEqual([409, 'revision_unavailable']);
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
  expect(await outcome(revise(id, studio.key))).toEqual([422, 'unsafe_request']);
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  expect(await outcome(revise(id, `my key is ${studio.key}`))).toEqual([422, 'unsafe_request']);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(0);
});

test.each(['', ' \n', 'x'.repeat(20_001), 'nul\u0000', 7, null])(
  '422 invalid_request: instructions %j',
  async (words) => expect(await outcome(revise(unknownJob, words))).toEqual([422, 'invalid_request']),
);

test('404 job_not_found: an id that names nothing', async () => {
  expect(await outcome(revise(unknownJob))).toEqual([404, 'job_not_found']);
});

test('200 for one of many at the same moment', async () => {
  const id = await ready();
  const answers = await Promise.all([1, 2, 3].map(() => tryMove(studio, id, 'revision')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(1);
});
