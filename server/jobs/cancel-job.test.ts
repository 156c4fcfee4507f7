import type { Got } from '../../test/support/harness.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JobStatus, MoveName } from '../../contract/moves.ts';
import {
  activeJobsOf,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  sharedStudio,
  post,
  readJob,
  setPlan,
  type Studio,
  tryMove,
  usedOf,
  uuidOf,
} from '../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const cancel = (id: string, idempotencyKey?: string, body?: unknown) =>
  post(studio.service, studio.key, `/api/v1/jobs/${id}/cancel`, body, idempotencyKey);
const used = async () => (await usedOf(studio.service, studio.ada)).studio ?? 0;

test('200 with the full canceled job and guidance; the hold ends and the job no longer counts as active', async () => {
  const id = await newJobIn(studio, 'running');
  const active = await activeJobsOf(studio.service, studio.ada);
  const { status, body } = await cancel(id);
  expect(status).toBe(200);
  expect(body).toEqual({ job: (await readJob(studio.service, studio.key, id)).job, next_action: expect.any(String) });
  expect(body.job).toMatchObject({ status: 'canceled', allowed_actions: [], reason: null });
  expect(await activeJobsOf(studio.service, studio.ada)).toBe(active - 1);
  const seen = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(seen.body.job.holder).toBeNull();
});

test.each([
  ['accepted', 'is back in your quota'],
  ['running', 'stays used, because work had begun'],
] as const)('200 for a job that is %s: next_action says that its unit %s', async (status, unit) => {
  const { body } = await cancel(await newJobIn(studio, status));
  expect(body.next_action).toBe(
    `The job is canceled, and its unit ${unit}. Create a new one if you still need the work.`,
  );
});

describe('what a cancellation gives back', () => {
  test.each<[number, MoveName[]]>([
    [1, []],
    [1, ['accept']],
    [1, ['accept', 'release']],
    [1, ['accept', 'start', 'release']],
    [0, ['accept', 'start']],
    [0, ['accept', 'start', 'submit']],
    [0, ['accept', 'start', 'submit', 'return']],
    [0, ['accept', 'start', 'submit', 'return', 'release']],
    [0, ['accept', 'start', 'submit', 'return', 'release', 'accept']],
    [0, ['accept', 'start', 'submit', 'pass', 'revision']],
    [0, ['accept', 'start', 'submit', 'pass', 'revision', 'release']],
  ])('200 gives back %i after %j', async (given, moves) => {
    const id = await newJob(studio.service, studio.key);
    const before = await used();
    await makeMoves(studio, id, ...moves, 'cancel');
    expect(await used()).toBe(before - given);
    const { data } = (await readJob(studio.service, studio.key, id)).events.at(-1);
    expect(data).toEqual({ unit_returned: given === 1 });
    const { body } = await studio.service.call('GET', `/api/v1/usage?job_id=${id}`, { as: studio.key });
    const recorded = body.usage.recent_events.map(
      ({ type, quantity }: Record<string, string>) => `${type} ${quantity}`,
    );
    expect(recorded).toEqual([...(given ? ['job.released -1'] : []), 'job.created 1']);
  });

  test('200 reverses the very row that was charged when that period is over; the new one keeps all of its quota', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const id = await newJob(studio.service, key);
    await setPlan(studio.service, person, 'agent', { renewed: true });
    const next = await newJob(studio.service, key);
    expect((await post(studio.service, key, `/api/v1/jobs/${id}/cancel`)).status).toBe(200);
    expect(await usedOf(studio.service, person)).toEqual({ agent: 1 });
    const { db } = studio.service.context;
    const rows = await db.selectFrom('usage_ledger').selectAll().where('account_id', '=', person.accountId).execute();
    const reversal = rows.find(({ quantity }) => quantity === -1);
    const charge = rows.find((row) => row.job_id === reversal?.job_id && row.quantity === reversal.reverses);
    expect(charge).toMatchObject({ job_id: uuidOf('job', id), quantity: 1 });
    const { id: _, created_at: __, quantity: ___, reverses: ____, ...same } = charge ?? rows[0]!;
    expect(reversal).toMatchObject(same);
    expect((await readJob(studio.service, key, next)).job.status).toBe('queued');
  });

  test('200 returns quota even if the plan is gone', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const id = await newJob(studio.service, key);
    await setPlan(studio.service, person, 'agent', { status: 'canceled' });
    expect((await post(studio.service, key, `/api/v1/jobs/${id}/cancel`)).status).toBe(200);
    expect(await usedOf(studio.service, person)).toEqual({ agent: 0 });
  });

  test('200 makes room for the next job at once', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    await setPlan(studio.service, person, 'agent', { quota: 1 });
    await post(studio.service, key, `/api/v1/jobs/${await newJob(studio.service, key)}/cancel`);
    await newJob(studio.service, key);
  });
});

test('200 replays the first answer, and gives back once', async () => {
  const id = await newJob(studio.service, studio.key);
  const before = await used();
  const first = await cancel(id, 'cancel-once');
  const second = await cancel(id, 'cancel-once', {});
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
  expect(second.body).toEqual(first.body);
  expect(await used()).toBe(before - 1);
});

test('200 with one answer for all that come at the same time with one Idempotency-Key', async () => {
  const id = await newJob(studio.service, studio.key);
  const answers = await Promise.all([1, 2, 3, 4].map(() => cancel(id, 'cancel-together')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
  expect((await readJob(studio.service, studio.key, id)).events).toHaveLength(2);
});

test.each<JobStatus>(['ready_for_customer_review', 'completed', 'rejected', 'canceled'])(
  '409 job_not_cancelable: %s job',
  async (status) => {
    const id = await newJobIn(studio, status);
    const before = await readJob(studio.service, studio.key, id);
    const answer = await cancel(id, 'too-late');
    expect([answer.status, answer.body.error.code]).toEqual([409, 'job_not_cancelable']);
    expect(answer.body.error.message).toContain(status);
    expect(await readJob(studio.service, studio.key, id)).toEqual(before);
  },
);

test('200 for one of many at the same moment, 409 for the others; one reversal', async () => {
  const id = await newJob(studio.service, studio.key);
  const before = await used();
  const answers = await Promise.all([1, 2, 3, 4].map(() => tryMove(studio, id, 'cancel')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  expect(await used()).toBe(before - 1);
});

test('422 invalid_request: a body with a field; a bad Idempotency-Key is 400', async () => {
  const id = await newJob(studio.service, studio.key);
  const said = ({ status, body }: Got) => `${status} ${body.error.code}`;
  expect(said(await cancel(id, undefined, { reason: 'x' }))).toBe('422 invalid_request');
  expect(said(await cancel(id, 'two words'))).toBe('400 invalid_request');
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('queued');
});
